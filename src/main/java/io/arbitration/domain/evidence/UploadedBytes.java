package io.arbitration.domain.evidence;

/** What has been uploaded to a case, and by a user to all cases. */
public record UploadedBytes(long ofCase, long ofUser) {

    public UploadedBytes plus(long bytes) {
        return new UploadedBytes(ofCase + bytes, ofUser + bytes);
    }
}
