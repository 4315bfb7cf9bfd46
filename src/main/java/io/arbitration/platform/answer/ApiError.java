package io.arbitration.platform.answer;

/** An error on which clients can rely. Each area has its own in an enum; the pipeline renders them all in one place. */
public interface ApiError {

    /**
     * @param status of the answer
     * @param code machine-readable name that never changes, for the header {@code Error-Code}, e.g. {@code filing.already-submitted}
     * @param text the exact body string; may contain {@link String#format} placeholders
     */
    record Terms(int status, String code, String text) {}

    Terms terms();

    default int status() {
        return terms().status();
    }

    default String code() {
        return terms().code();
    }

    default String text() {
        return terms().text();
    }

    default Refusal refusal(Object... values) {
        return new Refusal(status(), code(), values.length == 0 ? text() : text().formatted(values));
    }
}
