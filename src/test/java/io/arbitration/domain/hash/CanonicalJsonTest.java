package io.arbitration.domain.hash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Canonical JSON against the vectors that RFC 8785 publishes, and against what it says where it has none. */
class CanonicalJsonTest {

    /** RFC 8785, appendix B: the bits of a double, and how it is written. */
    @ParameterizedTest
    @CsvSource({
        "0000000000000000, 0",
        "8000000000000000, 0",
        "0000000000000001, 5e-324",
        "8000000000000001, -5e-324",
        "7fefffffffffffff, 1.7976931348623157e+308",
        "ffefffffffffffff, -1.7976931348623157e+308",
        "4340000000000000, 9007199254740992",
        "c340000000000000, -9007199254740992",
        "4430000000000000, 295147905179352830000",
        "44b52d02c7e14af5, 9.999999999999997e+22",
        "44b52d02c7e14af6, 1e+23",
        "44b52d02c7e14af7, 1.0000000000000001e+23",
        "444b1ae4d6e2ef4e, 999999999999999700000",
        "444b1ae4d6e2ef4f, 999999999999999900000",
        "444b1ae4d6e2ef50, 1e+21",
        "3eb0c6f7a0b5ed8c, 9.999999999999997e-7",
        "3eb0c6f7a0b5ed8d, 0.000001",
        "41b3de4355555553, 333333333.3333332",
        "41b3de4355555554, 333333333.33333325",
        "41b3de4355555555, 333333333.3333333",
        "41b3de4355555556, 333333333.3333334",
        "41b3de4355555557, 333333333.33333343",
        "becbf647612f3696, -0.0000033333333333333333",
        "43143ff3c1cb0959, 1424953923781206.2",
    })
    void aDoubleIsWrittenAsThePublishedTableSays(String bits, String written) {
        double value = Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16));
        assertThat(CanonicalJson.text(value)).isEqualTo(written);
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void whatIsNoNumberInJsonIsRefused(double value) {
        assertThatThrownBy(() -> CanonicalJson.text(value)).isInstanceOf(IllegalArgumentException.class);
    }

    /** The smallest doubles, where Java's own text has a digit more than ECMAScript's. */
    @ParameterizedTest
    @CsvSource({"1, 5e-324", "2, 1e-323", "3, 1.5e-323", "4, 2e-323", "5, 2.5e-323", "6, 3e-323", "10, 5e-323", "20, 1e-322", "21, 1.04e-322"})
    void theSmallestDoublesHaveNoDigitTooMany(long ulps, String written) {
        assertThat(CanonicalJson.text(Double.longBitsToDouble(ulps))).isEqualTo(written);
    }

    /** RFC 8785, sections 3.2.2 to 3.2.4: the sample, its canonical form and the bytes of that. */
    @Test
    void thePublishedSampleHasThePublishedBytes() throws JsonProcessingException {
        Map<String, Object> value = new ObjectMapper().readValue("""
                {
                  "numbers": [333333333.33333329, 1E30, 4.50,
                              2e-3, 0.000000000000000000000000001],
                  "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
                  "literals": [null, true, false]
                }
                """, new TypeReference<>() {});
        assertThat(CanonicalJson.text(value)).isEqualTo(
                "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
                        + "\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
        assertThat(CanonicalJson.text(value).getBytes(StandardCharsets.UTF_8)).isEqualTo(HexFormat.of().parseHex((
                "7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e"
                + "756d62657273223a5b3333333333333333332e333333333333332c31652b3330"
                + "2c342e352c302e3030322c31652d32375d2c22737472696e67223a22e282ac24"
                + "5c75303030665c6e4127425c225c5c5c5c5c222f227d")));
    }

    /** RFC 8785, section 3.2.3: names sort by UTF-16 code units, so the emoji comes before the Hebrew letter. */
    @Test
    void namesAreSortedAsThePublishedSampleIs() {
        Map<String, Object> value = new HashMap<>();
        value.put("\u20ac", "Euro Sign");
        value.put("\r", "Carriage Return");
        value.put("\ufb33", "Hebrew Letter Dalet With Dagesh");
        value.put("1", "One");
        value.put("\ud83d\ude00", "Emoji: Grinning Face");
        value.put("\u0080", "Control");
        value.put("\u00f6", "Latin Small Letter O With Diaeresis");

        String text = CanonicalJson.text(value);

        List<String> order = List.of("Carriage Return", "One", "Control", "Latin Small Letter O With Diaeresis", "Euro Sign",
                "Emoji: Grinning Face", "Hebrew Letter Dalet With Dagesh");
        assertThat(order.stream().map(text::indexOf)).isSorted().doesNotContain(-1);
        assertThat(text).startsWith("{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\",");
    }

    @Test
    void onlyControlCharactersQuoteAndBackslashAreEscaped() {
        assertThat(CanonicalJson.text("\u0000\u0001\b\t\n\u000b\f\r\u001f \"\\/\u007f\u0085\u2028\ud83d\ude80"))
                .isEqualTo("\"\\u0000\\u0001\\b\\t\\n\\u000b\\f\\r\\u001f \\\"\\\\/\u007f\u0085\u2028\ud83d\ude80\"");
    }

    /** RFC 8785, section 3.2.2.2: a lone surrogate has to end in an error, or two different texts had one hash. */
    @ParameterizedTest
    @ValueSource(strings = {"\ud83d", "\ude80", "a\ud83db", "\ude80\ud83d"})
    void halfASurrogatePairIsRefused(String text) {
        assertThatThrownBy(() -> CanonicalJson.text(text)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CanonicalJson.text(Map.of(text, "value"))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aNumberThatADoubleWouldChangeIsRefusedNotRounded() {
        for (Number number : new Number[] {new BigDecimal("0.1"), new BigDecimal("1.50"), 9007199254740992L, new BigDecimal("5e-324"),
                new BigInteger("100000000000000000000"), new BigDecimal("-0.0"), Integer.MIN_VALUE}) {
            assertThat(CanonicalJson.isExact(number)).as(number.toString()).isTrue();
        }
        for (Number number : new Number[] {9007199254740993L, Long.MAX_VALUE, new BigDecimal("0.10000000000000000001"),
                new BigDecimal("333333333.33333329"), new BigDecimal("1e400"), new BigDecimal("1e-400"), Double.NaN}) {
            assertThat(CanonicalJson.isExact(number)).as(number.toString()).isFalse();
            assertThatThrownBy(() -> CanonicalJson.text(number)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void whatIsNoJsonValueIsRefused() {
        assertThatThrownBy(() -> CanonicalJson.text(Arrays.asList("a", new Object()))).isInstanceOf(IllegalArgumentException.class);
    }

    /** Doubles of any bits, a plain loop: so many cost less here than a hundred as a property. */
    @Test
    void anyDoubleReadsBackAsItself() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 5_000; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value)) {
                String written = CanonicalJson.text(value);
                boolean same = Double.parseDouble(written) == value && CanonicalJson.isExact(new BigDecimal(written));
                if (!same) {
                    throw new AssertionError("seed %d: %x was written as %s".formatted(seed, Double.doubleToRawLongBits(value), written));
                }
            }
        }
    }
}
