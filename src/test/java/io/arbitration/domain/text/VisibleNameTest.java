package io.arbitration.domain.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VisibleNameTest {

    @ParameterizedTest
    @ValueSource(strings = {"Lindqvist Shipping v. Harbour Cranes", "Łódź – «Ö» 仲裁 🚀", "Jean-François d'Arc & Söhne GmbH, 2. Rev. (№ 7)",
            // Hebrew and Arabic, with and without marks of direction, and mixed with numbers and Latin.
            "חברת החשמל לישראל בע\"מ", "شركة الكهرباء (ش.م.م)", "\u200fעתירה 2026\u200f", "\u200eABC\u200e שלום", "\u061c2026 \u0627\u0644\u062f\u0639\u0648\u0649",
            // Isolates and embeddings that end.
            "Claim of \u2067חברת החשמל\u2069 v. Cranes", "\u2068\u0627\u0628\u2069 v. \u2066Cranes\u2069", "\u202bשלום \u202aabc\u202c\u202c",
            // Persian with the non-joiner; Hindi, Sinhala and Malayalam with joiners.
            "می\u200cخواهم", "نامه\u200cای", "क्\u200dष", "र्\u200cय", "ශ්\u200dරී ලංකා", "നന്\u200dമ",
            // Emoji with joiners, skin and variation selectors; combining accents; ideographic variants.
            "👩\u200d⚖️ Judge", "👨🏽\u200d🚀", "🏳️\u200d🌈", "Cafe\u0301", "葛\udb40\udd00"})
    void whatPeopleAreCalledIsAllowed(String name) {
        assertThat(VisibleName.problem(name)).isEmpty();
        assertThat(VisibleName.cleaned(name)).isEqualTo(name.replaceAll("[\u202a-\u202c\u2066-\u2069]", ""));
    }

    @ParameterizedTest
    @CsvSource({
        "U+000A, must not contain control characters", "U+0007, must not contain control characters", "U+007F, must not contain control characters",
        "U+0085, must not contain control characters", "U+2028, must not contain control characters", "U+2029, must not contain control characters",
        "U+D800, must not contain control characters",
        "U+202E, 'must not contain U+202E, which changes the order of the characters behind it'",
        "U+202D, 'must not contain U+202D, which changes the order of the characters behind it'",
        "U+2067, must end the change of direction that U+2067 begins", "U+2066, must end the change of direction that U+2066 begins",
        "U+2068, must end the change of direction that U+2068 begins", "U+202A, must end the change of direction that U+202A begins",
        "U+202B, must end the change of direction that U+202B begins",
        "U+2069, 'must not contain U+2069, which ends a change of direction that did not begin'",
        "U+202C, 'must not contain U+202C, which ends a change of direction that did not begin'",
        "U+200B, must not contain the invisible character U+200B", "U+2060, must not contain the invisible character U+2060",
        "U+FEFF, must not contain the invisible character U+FEFF", "U+00AD, must not contain the invisible character U+00AD",
        "U+2063, must not contain the invisible character U+2063", "U+3164, must not contain the invisible character U+3164",
        "U+E0041, must not contain the invisible character U+E0041", "U+200D, must not contain the invisible character U+200D",
        "U+200C, must not contain the invisible character U+200C"})
    void whatHidesOrTurnsIsRefusedAndNamed(String character, String problem) {
        String one = new String(Character.toChars(Integer.parseInt(character.substring(2), 16)));
        assertThat(VisibleName.problem("Cranes" + one + "Ltd")).contains(problem);
        assertThat(VisibleName.cleaned("Cranes" + one + "Ltd")).isEqualTo("CranesLtd");
    }

    @Test
    void changesOfDirectionEndInTheOrderInWhichTheyBegan() {
        assertThat(VisibleName.problem("a\u2067b\u202bc\u202cd\u2069e")).isEmpty();
        assertThat(VisibleName.problem("a\u2067b\u202bc\u2069d\u202ce")).contains("must not contain U+2069, which ends a change of direction that did not begin");
        assertThat(VisibleName.problem("a\u2067b\u2067c\u2069d")).contains("must end the change of direction that U+2067 begins");
    }

    @Test
    void marksThatWouldCoverOtherLinesAreRefused() {
        String most = "Z" + "\u0301".repeat(8) + "a" + "\u0489".repeat(8);
        assertThat(VisibleName.problem(most)).isEmpty();
        assertThat(VisibleName.cleaned(most)).isEqualTo(most);
        for (String more : new String[] {"\u0301".repeat(9), "\u0301".repeat(4) + "\u0489".repeat(5), "\u0301".repeat(8) + "\u200e\u0301", "\u0301".repeat(190)}) {
            assertThat(VisibleName.problem("Z" + more + "a")).contains("must not contain more than 8 marks on one character");
            assertThat(VisibleName.problem(VisibleName.cleaned("Z" + more + "a"))).isEmpty();
        }
        // Hebrew with vowels and an accent, Thai with a vowel and a tone, Vietnamese, Tibetan.
        for (String name : new String[] {"\u05e9\u05c1\u05b8\u0591\u05dc\u05d5\u05b9\u05dd", "\u0e19\u0e49\u0e33\u0e1b\u0e36\u0e49\u0e07", "Nguye\u0302\u0303n", "\u0f67\u0f71\u0f74\u0f83"}) {
            assertThat(VisibleName.problem(name)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", " \u00a0\u3000", "\u200f", "\u200e \u200e", "\u2800\u2800", "\u2067\u2069", "\ufe0f", "\u0301 "})
    void whatShowsNothingIsBlank(String name) {
        assertThat(VisibleName.problem(name)).contains("must not be blank");
        assertThat(VisibleName.cleaned(name)).isEmpty();
    }
}
