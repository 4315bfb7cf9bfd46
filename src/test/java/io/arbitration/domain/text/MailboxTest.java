package io.arbitration.domain.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.domain.RandomTexts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MailboxTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "clara@example.org|``|clara@example.org",
            "<clara@example.org>|``|clara@example.org",
            "Clara Claimant <clara@example.org>|Clara Claimant|clara@example.org",
            "\"Claimant, Clara \\\"C\\\"\" <c+x@EXAMPLE.org>|Claimant, Clara \"C\"|c+x@EXAMPLE.org",
            "Clara <home> <clara@example.org>|Clara <home>|clara@example.org",
            "克拉拉 <clara@bücher.example>|克拉拉|clara@xn--bcher-kva.example",
            "no-reply@localhost|``|no-reply@localhost"})
    void nameAndAddressAreRead(String text, String name, String address) {
        assertThat(Mailbox.parse(text)).isEqualTo(new Mailbox(name, address));
    }

    @ParameterizedTest
    @ValueSource(strings = {"clara@example.org", "Clara <clara@example.org>", "\"a \\\\ \\\"b\\\"\" <clara@example.org>", "a<b <clara@example.org>"})
    void itsTextIsReadAsTheSame(String text) {
        assertThat(Mailbox.parse(Mailbox.parse(text).toString())).isEqualTo(Mailbox.parse(text));
    }

    @Test
    void itIsBounded() {
        assertThat(Mailbox.parse("a".repeat(64) + "@example.org").address()).hasSize(76);
        for (String tooLong : new String[] {"a".repeat(65) + "@example.org", "a@" + "b.".repeat(130) + "example", "a@" + "b".repeat(64) + ".example"}) {
            assertThatThrownBy(() -> Mailbox.parse(tooLong)).isInstanceOf(IllegalArgumentException.class).hasMessageStartingWith("must be an email address");
        }
        assertThatThrownBy(() -> Mailbox.parse("n".repeat(101) + " <a@example.org>")).hasMessage("a name has at most 100 characters");
        assertThatThrownBy(() -> Mailbox.parse("n".repeat(401))).hasMessage("at most 400 characters");
    }

    @Test
    void noTextBecomesAMailboxWithAControlCharacter() {
        RandomTexts.each(1000, 120, text -> {
            for (String tried : new String[] {text, text + " <clara@example.org>", "clara@" + text, "Clara <" + text + "@example.org>"}) {
                try {
                    assertThat(Mailbox.parse(tried).toString().chars()).noneMatch(Character::isISOControl);
                } catch (IllegalArgumentException refused) {
                    assertThat(refused).hasMessageMatching("(?s)must .+|at most .+|a name .+");
                }
            }
        });
    }
}
