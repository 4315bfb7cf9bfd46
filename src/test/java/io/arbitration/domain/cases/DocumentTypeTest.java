package io.arbitration.domain.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.text.FieldType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DocumentTypeTest {
    private static final boolean DRAFT = false;
    private static final boolean COMPLETE = true;

    private final DocumentType claim = new DocumentType(new DocumentTypeId("claim"), "Claim", "A claim.", List.of(
            new Section("Amount", "How much.", 1, List.of(
                    field("amount", true, 1, 10, FieldType.DECIMAL),
                    field("count", false, 1, 5, FieldType.INTEGER),
                    field("urgent", false, 4, 5, FieldType.BOOLEAN))),
            new Section("Relief", "What for.", 2, List.of(
                    field("relief", true, 3, 5, FieldType.TEXT),
                    field("day", false, 10, 10, FieldType.DATE)))));

    @Test
    void aCompleteFilingHasNoProblems() {
        assertThat(claim.problems(Map.of("amount", "12.50", "relief", "costs", "urgent", "true"), COMPLETE)).isEmpty();
    }

    @Test
    void aRequiredFieldMayBeMissingFromADraftAlone() {
        assertThat(claim.problems(Map.of(), DRAFT)).isEmpty();
        assertThat(claim.problems(Map.of(), COMPLETE))
                .containsExactly("fields/amount: is required", "fields/relief: is required");
    }

    @Test
    void aBlankValueDoesNotFillARequiredField() {
        Map<String, Object> blank = Map.of("amount", "", "relief", " \n ");
        assertThat(claim.problems(blank, DRAFT)).isEmpty();
        assertThat(claim.problems(blank, COMPLETE))
                .containsExactly("fields/amount: is required", "fields/relief: is required");
    }

    @Test
    void typesAndLengthsCountForADraftToo() {
        Map<String, Object> values = new HashMap<>();
        values.put("amount", "much");
        values.put("relief", "ab");
        values.put("day", "2026-02-30");
        values.put("count", "123456");
        assertThat(claim.problems(values, DRAFT)).containsExactly(
                "fields/amount: must be a number",
                "fields/count: at most 5 characters",
                "fields/relief: at least 3 characters",
                "fields/day: must be a date such as 2026-01-31");
    }

    @Test
    void lengthsCountCharactersAndNotTheirHalves() {
        assertThat(claim.problems(Map.of("relief", "😀😀😀😀😀"), DRAFT)).isEmpty();
        assertThat(claim.problems(Map.of("relief", "😀😀"), DRAFT)).containsExactly("fields/relief: at least 3 characters");
        assertThat(claim.problems(Map.of("relief", "😀😀😀😀😀😀"), DRAFT))
                .containsExactly("fields/relief: at most 5 characters");
    }

    @Test
    void aBlankValueOverTheMaximumIsRefused() {
        assertThat(claim.problems(Map.of("relief", "      "), DRAFT)).containsExactly("fields/relief: at most 5 characters");
    }

    @Test
    void unknownFieldsComeLastAndAreNamed() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("colour", "red");
        values.put("amount", "x");
        assertThat(claim.problems(values, DRAFT))
                .containsExactly("fields/amount: must be a number", "fields/colour: no such field in claim");
    }

    @Test
    void aFloodOfUnknownFieldsIsAnsweredInBounds() {
        Map<String, Object> values = new HashMap<>();
        for (int at = 0; at < 10_000; at++) {
            values.put("x".repeat(1_000) + at, "y");
        }
        assertThat(claim.problems(values, DRAFT)).hasSize(20).allSatisfy(problem -> assertThat(problem).hasSizeLessThan(120));
    }

    @Test
    void jsonBooleansAndNumbersAreTakenWhereTheTypeIsTheirs() {
        assertThat(claim.problems(Map.of("amount", 12.5, "count", 7, "urgent", true, "relief", "costs"), COMPLETE)).isEmpty();
        assertThat(claim.problems(Map.of("amount", new BigDecimal("1E+3"), "count", BigInteger.TEN), DRAFT)).isEmpty();
        assertThat(claim.problems(Map.of("amount", 1_234_567.0), DRAFT)).isEmpty();
    }

    @Test
    void anyOtherJsonKindIsRefused() {
        Map<String, Object> values = new HashMap<>();
        values.put("amount", true);
        values.put("count", List.of());
        values.put("urgent", 1);
        values.put("relief", Map.of());
        values.put("day", null);
        assertThat(claim.problems(values, DRAFT)).containsExactly(
                "fields/amount: must be a number or a string",
                "fields/count: must be a number or a string",
                "fields/urgent: must be true or false",
                "fields/relief: must be a string",
                "fields/day: must not be null");
    }

    @Test
    void aJsonNumberWithDecimalsIsNoInteger() {
        assertThat(claim.problems(Map.of("count", 5.5), DRAFT)).containsExactly("fields/count: must be a whole number");
        assertThat(claim.problems(Map.of("count", new BigDecimal("5.0")), DRAFT))
                .containsExactly("fields/count: must be a whole number");
    }

    @Test
    void aJsonNumberOfABillionDigitsIsNeverWrittenOut() {
        for (String bomb : List.of("1E+999999999", "1E-999999999", "1E+2147483647")) {
            assertThat(claim.problems(Map.of("amount", new BigDecimal(bomb)), DRAFT))
                    .containsExactly("fields/amount: must be a number of at most 100 digits");
        }
        assertThat(claim.problems(Map.of("amount", Double.NaN), DRAFT)).hasSize(1);
    }

    @Test
    void aFieldIDStandsForOneField() {
        Field twice = field("same", false, 0, 9, FieldType.TEXT);
        assertThatThrownBy(() -> new DocumentType(new DocumentTypeId("d"), "D", "D.", List.of(
                        new Section("A", "A.", 1, List.of(twice)), new Section("B", "B.", 2, List.of(twice)))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("same");
    }

    private static Field field(String id, boolean required, int minLength, int maxLength, FieldType type) {
        return new Field(id, id, required, minLength, maxLength, 1, type);
    }
}
