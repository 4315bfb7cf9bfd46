package io.arbitration.domain.time;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The place whose law an arbitration follows: a country, or a part of one.
 *
 * @param code of ISO 3166-1 or ISO 3166-2, such as {@code SE} or {@code DE-BY}
 */
public record Seat(String code) {

    private static final Pattern CODE = Pattern.compile("[A-Z]{2}(-[A-Z0-9]{1,3})?");

    /** The seat with that code; empty for a text of another form. */
    public static Optional<Seat> of(String text) {
        return CODE.matcher(text).matches() ? Optional.of(new Seat(text)) : Optional.empty();
    }

    /** The code of the country alone, of ISO 3166-1. */
    public String country() {
        return code.substring(0, 2);
    }

    /** The code of the part within its country; empty for a whole country. */
    public String part() {
        return code.length() > 3 ? code.substring(3) : "";
    }

    @Override
    public String toString() {
        return code;
    }
}
