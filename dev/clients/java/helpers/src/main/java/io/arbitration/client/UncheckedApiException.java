package io.arbitration.client;

/** An {@link ApiException} of a page, thrown through a stream. */
public final class UncheckedApiException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UncheckedApiException(ApiException failed) {
        super(failed.getMessage(), failed);
    }

    @Override
    public synchronized ApiException getCause() {
        return (ApiException) super.getCause();
    }
}
