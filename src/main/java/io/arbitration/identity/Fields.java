package io.arbitration.identity;

import io.arbitration.domain.Identifiers;
import io.arbitration.platform.pipeline.Call;
import java.util.Optional;
import java.util.UUID;

/** Reads request fields that several operations of this area share. */
public final class Fields {

    private Fields() {}

    /** A name that other people see, without blanks around it. */
    public static String name(Call call, String field) {
        return call.name(field).strip();
    }

    public static Optional<String> optionalName(Call call, String field) {
        return call.optionalName(field).map(String::strip);
    }

    /** An id; empty if the text is no UUID, so that it is answered as an unknown id. */
    public static Optional<UUID> id(Call call, String field) {
        return Identifiers.uuid(call.text(field));
    }
}
