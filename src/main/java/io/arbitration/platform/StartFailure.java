package io.arbitration.platform;

/**
 * Something outside of the program keeps the platform from starting. The message alone tells a person what it is, where,
 * and what would help: it is printed without a stack trace.
 */
public class StartFailure extends RuntimeException {

    /** The node failed. */
    public static final int FAILED = 1;
    /** Something is configured wrong: EX_CONFIG of sysexits.h. */
    public static final int MISCONFIGURED = 78;

    private final int exitCode;

    /** @param exitCode of the process, {@link #FAILED} or {@link #MISCONFIGURED} */
    public StartFailure(int exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    public final int exitCode() {
        return exitCode;
    }
}
