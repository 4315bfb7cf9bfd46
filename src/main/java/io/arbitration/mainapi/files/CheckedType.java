package io.arbitration.mainapi.files;

/** The result of checking the first bytes of a file, its name and its declared type. */
public sealed interface CheckedType {

    /** @param type the media type under which the file is stored */
    record Accepted(String type) implements CheckedType {}

    /** @param kind of program, or why it counts as one */
    record Program(String kind) implements CheckedType {}

    /**
     * @param type the declared one, or the one of the content if none was declared; a description if that is no media type
     * @param allowed types, separated by commas
     */
    record NotAllowed(String type, String allowed) implements CheckedType {}

    /** @param content the actual content: a media type, or a description if there is none */
    record Mismatch(String declared, String content) implements CheckedType {}
}
