package io.arbitration.client;

/** Is told how much of a file has been handed to the connection. Called by a thread of the HTTP client: it should return soon. */
@FunctionalInterface
public interface Progress {

    /**
     * Bytes of the file, so far and in all. Begins again when the upload is repeated; ends with both the same.
     *
     * @param sentBytes never less than before in the same attempt
     */
    void sent(long sentBytes, long totalBytes);
}
