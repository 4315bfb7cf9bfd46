package io.arbitration.identity;

import io.arbitration.domain.Identifiers;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.pipeline.Call;
import java.util.Optional;
import java.util.UUID;

/** Reads request fields that several operations of this area share. */
public final class Fields {

    private Fields() {}

    /** A name that other people see: refused if it is blank or has control characters such as line breaks. */
    public static String name(Call call, String field) {
        return visible(field, call.text(field));
    }

    public static Optional<String> optionalName(Call call, String field) {
        return call.optionalText(field).map(text -> visible(field, text));
    }

    private static String visible(String field, String text) {
        if (text.isBlank()) {
            throw Refusal.badRequest(field + ": must not be blank");
        }
        if (text.codePoints().anyMatch(Character::isISOControl)) {
            throw Refusal.badRequest(field + ": must not contain control characters");
        }
        return text.strip();
    }

    /** An id; empty if the text is no UUID, so that it is answered as an unknown id. */
    public static Optional<UUID> id(Call call, String field) {
        return Identifiers.uuid(call.text(field));
    }
}
