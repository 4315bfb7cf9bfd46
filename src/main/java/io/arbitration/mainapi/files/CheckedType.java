package io.arbitration.mainapi.files;

/** What a look at the first bytes of a file, its name and its declared type found. */
public sealed interface CheckedType {

    /** @param type the media type under which the file is kept */
    record Accepted(String type) implements CheckedType {}

    /** @param kind of program, or why it counts as one */
    record Program(String kind) implements CheckedType {}

    /**
     * @param type that was declared, or that the content shows where nothing was declared; words where that is no media type
     * @param allowed types, separated by commas
     */
    record NotAllowed(String type, String allowed) implements CheckedType {}

    /** @param content what the file is instead: a media type, or words where that has none */
    record Mismatch(String declared, String content) implements CheckedType {}
}
