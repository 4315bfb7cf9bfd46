package io.arbitration.domain.cases;

import io.arbitration.domain.text.FieldType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;

/**
 * A field of a document.
 *
 * @param minLength the fewest characters (code points) of a value that is not blank
 * @param maxLength the most characters (code points) of a value
 * @param sortOrder its place in the section, from 1
 */
public record Field(
        String id, String displayName, boolean required, int minLength, int maxLength, int sortOrder, FieldType type) {

    /** A JSON number with more digits is refused before it is written out: 1e999999999 has a billion. */
    private static final int NUMBER_DIGITS_MAX = 100;

    /**
     * The problem with the value of this field, as the end of a sentence; empty if there is none.
     *
     * @param value a string, a boolean or a number, depending on the type; null if the filing does not have the field
     * @param complete whether a required field must be filled, as it must be when the filing is submitted
     */
    Optional<String> problem(Object value, boolean complete) {
        return switch (value) {
            case null -> complete && required ? Optional.of("is required") : Optional.empty();
            case String text -> textProblem(text, complete);
            case Boolean flag when type == FieldType.BOOLEAN -> textProblem(flag.toString(), complete);
            case Number number when takesNumbers() -> numberProblem(number, complete);
            default -> Optional.of(wrongKind());
        };
    }

    private Optional<String> textProblem(String text, boolean complete) {
        // The length is checked first, so that the type checks run on bounded text. UTF-16 units bound the code points.
        if (text.length() > maxLength && text.codePointCount(0, text.length()) > maxLength) {
            return Optional.of("at most " + characters(maxLength));
        }
        if (text.isBlank() && complete && required) {
            return Optional.of("is required");
        }
        Optional<String> mismatch = type.problem(text);
        if (mismatch.isPresent() || text.isBlank()) {
            return mismatch;
        }
        return text.codePointCount(0, text.length()) < minLength
                ? Optional.of("at least " + characters(minLength))
                : Optional.empty();
    }

    private Optional<String> numberProblem(Number number, boolean complete) {
        return plain(number)
                .map(text -> textProblem(text, complete))
                .orElseGet(() -> Optional.of("must be a number of at most " + NUMBER_DIGITS_MAX + " digits"));
    }

    /** The number as decimal digits; empty if it has too many, or is no number at all. */
    private static Optional<String> plain(Number number) {
        return exact(number)
                .filter(exact -> Math.abs((long) exact.scale()) + exact.precision() <= NUMBER_DIGITS_MAX)
                .map(BigDecimal::toPlainString);
    }

    private static Optional<BigDecimal> exact(Number number) {
        return switch (number) {
            case BigDecimal exact -> Optional.of(exact);
            case BigInteger whole -> Optional.of(new BigDecimal(whole));
            case Double real when !Double.isFinite(real) -> Optional.empty();
            case Float real when !Float.isFinite(real) -> Optional.empty();
            default -> Optional.of(new BigDecimal(number.toString()));
        };
    }

    private boolean takesNumbers() {
        return type == FieldType.INTEGER || type == FieldType.DECIMAL;
    }

    private String wrongKind() {
        if (type == FieldType.BOOLEAN) {
            return "must be true or false";
        }
        return takesNumbers() ? "must be a number or a string" : "must be a string";
    }

    private static String characters(int count) {
        return count == 1 ? "1 character" : count + " characters";
    }
}
