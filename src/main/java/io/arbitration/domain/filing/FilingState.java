package io.arbitration.domain.filing;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The state of a filing: draft → submitted → docketed, rejected or withdrawn; an edit turns a rejected one into a draft again. */
public enum FilingState {
    DRAFT, SUBMITTED, DOCKETED, REJECTED, WITHDRAWN;

    /** The name in the specification, in the interface and in the database. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The state with that name; empty for another text. */
    public static Optional<FilingState> ofWireName(String name) {
        return Stream.of(values()).filter(state -> state.wireName().equals(name)).findFirst();
    }
}
