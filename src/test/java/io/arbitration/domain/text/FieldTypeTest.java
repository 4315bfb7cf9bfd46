package io.arbitration.domain.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.ProcessorTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldTypeTest {
    private static final int HOSTILE_CHARACTERS = 70_000;

    @Test
    void thereAreTheSixteenTypesOfTheInterface() {
        assertThat(FieldType.values())
                .extracting(FieldType::wireName)
                .containsExactly(
                        "address", "boolean", "city", "currency", "date", "decimal", "email", "integer", "month",
                        "phone", "state", "text", "time", "url", "year", "zipcode");
    }

    @ParameterizedTest
    @EnumSource
    void aTypeIsFoundByItsNameInTheInterface(FieldType type) {
        assertThat(FieldType.ofWireName(type.wireName())).contains(type);
        assertThat(FieldType.ofWireName(type.name())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void blankIsFineForEveryType(FieldType type) {
        assertThat(type.problem("")).isEmpty();
        assertThat(type.problem("   ")).isEmpty();
        assertThat(type.problem(" \t\r\n ")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "ADDRESS|1 Main St., Floor 2", "BOOLEAN|true", "BOOLEAN|false", "CITY|São Paulo",
        "CURRENCY|1200", "CURRENCY|1200.50", "CURRENCY|1200.50 USD", "CURRENCY|EUR 0.01", "CURRENCY|500 JPY",
        "CURRENCY|1.234 KWD", "CURRENCY|-5", "CURRENCY|3 XAU",
        "DATE|2024-02-29", "DATE|2026-12-31", "DATE|0001-01-01", "DATE|9999-12-31",
        "DECIMAL|0", "DECIMAL|-12.75", "DECIMAL|007", "DECIMAL|0.000000000000000000001",
        "EMAIL|a@b.co", "EMAIL|first.last+tag@sub.example.org", "EMAIL|müller@bücher.example", "EMAIL|o'neil@example.com",
        "INTEGER|0", "INTEGER|-7", "INTEGER|123456789012345678901234567890",
        "MONTH|1", "MONTH|01", "MONTH|12", "MONTH|2026-07",
        "PHONE|+1 (212) 555-0100", "PHONE|030/1234567", "PHONE|+442071838750", "STATE|NY", "STATE|Île-de-France",
        "TEXT|<b>नमस्ते</b> 👩‍⚖️ \"quoted\" & more", "TIME|00:00", "TIME|23:59:59",
        "URL|https://example.org/a?b=c#d", "URL|http://127.0.0.1:8080", "URL|HTTPS://EXAMPLE.ORG",
        "URL|https://bücher.example/x", "URL|http://[::1]:8080/", "YEAR|1999", "YEAR|2026",
        "ZIPCODE|10001", "ZIPCODE|10001-1234", "ZIPCODE|SW1A 1AA", "ZIPCODE|D02 AF30", "ZIPCODE|1010"})
    void aValueOfItsTypeIsTaken(FieldType type, String value) {
        assertThat(type.problem(value)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "BOOLEAN|True", "BOOLEAN|yes", "BOOLEAN|0", "BOOLEAN|` true`", "BOOLEAN|null",
        "CURRENCY|1,200.50", "CURRENCY|$5", "CURRENCY|5 usd", "CURRENCY|5 ZZZ", "CURRENCY|5USD", "CURRENCY|USD",
        "CURRENCY|1.005 USD", "CURRENCY|1.5 JPY", "CURRENCY|1.23456", "CURRENCY|USD 5 USD", "CURRENCY|1.", "CURRENCY|5  USD",
        "DATE|2023-02-29", "DATE|2026-13-01", "DATE|2026-00-10", "DATE|2026-01-00", "DATE|2026-1-1", "DATE|01/02/2026",
        "DATE|2026-01-31T00:00", "DATE|0000-01-01", "DATE|-999-01-01", "DATE|+026-01-01",
        "DECIMAL|1e5", "DECIMAL|.5", "DECIMAL|5.", "DECIMAL|1.2.3", "DECIMAL|--1", "DECIMAL|-", "DECIMAL|NaN",
        "DECIMAL|0x10", "DECIMAL|1 000", "DECIMAL|+1", "DECIMAL|١٢",
        "EMAIL|plain", "EMAIL|@b.co", "EMAIL|a@", "EMAIL|a@b", "EMAIL|a@@b.co", "EMAIL|a@b..co", "EMAIL|.a@b.co",
        "EMAIL|a.@b.co", "EMAIL|a..b@c.co", "EMAIL|a b@c.co", "EMAIL|a@b.co,c@d.co", "EMAIL|a@-b.co", "EMAIL|a@b.co.",
        "EMAIL|a@1.2.3.4", "EMAIL|A <a@b.co>", "EMAIL|a@b_c.co",
        "INTEGER|1.0", "INTEGER|1.", "INTEGER|1e3", "INTEGER|one", "INTEGER|-", "INTEGER|１",
        "MONTH|0", "MONTH|13", "MONTH|2026-13", "MONTH|2026-7", "MONTH|July", "MONTH|001",
        "PHONE|12345", "PHONE|1234567890123456", "PHONE|call me 123456", "PHONE|123+4567", "PHONE|++1234567", "PHONE|------1",
        "TIME|24:00", "TIME|12:60", "TIME|12:00:60", "TIME|9:00", "TIME|12:00:", "TIME|12:00Z", "TIME|12", "TIME|ab:cd",
        "URL|ftp://example.org", "URL|example.org", "URL|javascript:alert(1)", "URL|https://", "URL|https:///path",
        "URL|https://user:pw@example.org", "URL|https://exa mple.org", "URL|http://example.org:99999", "URL|http://a..b",
        "URL|//example.org", "URL|http://example.org:x", "URL|file:///etc/passwd",
        "YEAR|99", "YEAR|0000", "YEAR|20266", "YEAR|-999", "YEAR|abcd",
        "ZIPCODE|ab", "ZIPCODE|abcde", "ZIPCODE|12", "ZIPCODE|12345678901", "ZIPCODE|-12345", "ZIPCODE|12345-", "ZIPCODE|12  34",
        "ZIPCODE|12#45"})
    void aValueOfAnotherTypeIsRefused(FieldType type, String value) {
        assertThat(type.problem(value)).isPresent();
    }

    @Test
    void anIntegerWithDecimalsIsRefused() {
        assertThat(FieldType.INTEGER.problem("5.5")).contains("must be a whole number");
    }

    @Test
    void aRefusalSaysWhatTheValueMustBe() {
        assertThat(FieldType.BOOLEAN.problem("maybe")).contains("must be true or false");
        assertThat(FieldType.DECIMAL.problem("much")).contains("must be a number");
        assertThat(FieldType.EMAIL.problem("nobody")).contains("must be an email address");
    }

    @ParameterizedTest
    @EnumSource
    void noTypeTakesControlCharacters(FieldType type) {
        for (String control : new String[] {"\0", "\u0007", "\u001b[31m", "\u007f", "\u0085", "a\rb"}) {
            assertThat(type.problem("1" + control)).contains("must not contain control characters");
        }
        assertThat(type.problem("\0")).contains("must not contain control characters");
    }

    @ParameterizedTest
    @EnumSource
    void noTypeTakesHalfASurrogatePair(FieldType type) {
        assertThat(type.problem("a\ud83d")).isPresent();
        assertThat(type.problem("\ude00a")).isPresent();
    }

    @Test
    void textTakesLinesAndTabs() {
        assertThat(FieldType.TEXT.problem("one\ntwo\r\nthree\tfour")).isEmpty();
        assertThat(FieldType.ADDRESS.problem("1 Main St.\nSpringfield")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "1", "a.", "-", "1-", "@", "a@", "http://a", "http://a.", "(", "USD ", " 1", "é", "+", "[", "%"})
    void aLongHostileValueIsJudgedInTheTimeOfItsLength(String part) throws Exception {
        String value = "http://x@1" + part.repeat(HOSTILE_CHARACTERS / part.length()) + "!";
        ProcessorTime.assertLessThan(Duration.ofSeconds(2), () -> {
            for (FieldType type : FieldType.values()) {
                type.problem(value);
                type.problem(value.substring(7));
                type.problem("http://" + value.substring(10));
                type.problem(value.substring(10));
            }
        });
    }
}
