package io.arbitration.ai.award;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which exhibits a text cites. */
class CitationsTest {

    private static final List<String> NUMBERS = List.of("1", "2", "12", "C-1", "C-2", "R-1a", "A", "Exhibit X 9", "Annex blue");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            It was paid [Exhibit 1].                          | 1
            See exhibit 12, which is not exhibit 1.           | 12,1
            Exhibits 1, 2 and 12 agree.                       | 1,2,12
            [Exhibit C-1, C-2]                                | C-1,C-2
            [exhibit c–1]                                    | C-1
            Exh. R-1a; Ex. 2                                  | R-1a,2
            Exhibit No. 2 says so.                            | 2
            Exhibit A says so.                                | A
            The exhibit A gave us is exhibit 2.               | A,2
            The invoice (C-2) is dated 3 March.               | C-2
            As Exhibit X 9 has it.                            | Exhibit X 9
            [Exhibit Annex blue] has it.                      | Annex blue
            Exhibit 1 and 77 cranes were delivered.           | 1
            The exhibit I saw last shows nothing.             |
            No exhibit shows that; no exhibits were read.     |
            Exhibiting 7 cranes is exhausting.                |
            """)
    void whatIsThereIsFoundAndNothingElse(String text, String expected) {
        Citations citations = Citations.in(text, NUMBERS);
        assertThat(citations.unknown()).isEmpty();
        assertThat(String.join(",", citations.known())).isEqualTo(expected == null ? "" : expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            It was paid [Exhibit 3].                          | 3
            See exhibit 121.                                  | 121
            Exhibits 1, 2 and 13 agree.                       | 13
            [Exhibit C-1, C-9]                                | C-9
            The invoice (C-7) is dated 3 March.               | C-7
            Exhibit C-1-4 is new.                             | C-1-4
            Exhibit B says so.                                | B
            Ex. R-9 and exh. 44                               | R-9,44
            Exhibit 1.2                                       | 1.2
            """)
    void whatIsNotThereIsNamed(String text, String expected) {
        assertThat(String.join(",", Citations.in(text, NUMBERS).unknown())).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            It was paid [Exhibit claimant 1].                 | claimant 1 |
            [Exhibit Respondent 1] says otherwise.            | respondent 1 |
            [Exhibits claimant 1, respondent 1 and claimant C-2] | claimant 1,respondent 1,claimant C-2 |
            It was paid [Exhibit 1].                          | | 1
            [Exhibit respondent 7] and [Exhibit claimant C-9] | | respondent 7,claimant C-9
            Exhibit claimant says so.                         | |
            """)
    void wherePartiesNumberAlikeANumberStandsBehindItsParty(String text, String known, String unknown) {
        Citations citations = Citations.in(text, List.of("claimant 1", "respondent 1", "claimant C-2"));
        assertThat(String.join(",", citations.known())).isEqualTo(known == null ? "" : known);
        assertThat(String.join(",", citations.unknown())).isEqualTo(unknown == null ? "" : unknown);
    }

    @Test
    void withoutExhibitsEveryCitationIsUnknown() {
        assertThat(Citations.in("As Exhibit 1 shows.", List.of()).unknown()).containsExactly("1");
        assertThat(Citations.in("Nothing shows it.", List.of()).unknown()).isEmpty();
    }
}
