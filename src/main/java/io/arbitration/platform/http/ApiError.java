package io.arbitration.platform.http;

/**
 * An error that clients can rely on. Each area keeps its own in an enum; {@link ErrorBodies} renders them all.
 * The text is the exact body string; {@link #code} is stable and goes into the {@code Error-Code} header.
 */
public interface ApiError {

    int status();

    /** Machine-readable name, e.g. {@code filing.already-submitted}. */
    String code();

    /** Body string; may hold {@link String#format} places. */
    String text();

    default Refusal refusal(Object... values) {
        return new Refusal(status(), code(), values.length == 0 ? text() : text().formatted(values));
    }
}
