package io.arbitration.domain.evidence;

/** The bytes that were uploaded to a case, for one of its parties, and by a user to all cases. */
public record UploadedBytes(long ofCase, long ofParty, long ofUser) {

    /**
     * With a further file, while its user has other uploads in progress. @param ofUserUnderWay bytes of all these files,
     * including the first one
     */
    public UploadedBytes plus(long bytes, long ofUserUnderWay) {
        return new UploadedBytes(ofCase + bytes, ofParty + bytes, ofUser + ofUserUnderWay);
    }
}
