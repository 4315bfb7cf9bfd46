package io.arbitration.platform.extensions;

/** The reason why an extension does not run, in a sentence for the operator. */
final class ExtensionFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ExtensionFailure(String message) {
        super(message, null, false, false);
    }

    ExtensionFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
