package io.arbitration.domain.evidence;

/** What has been uploaded to a case, and by a user to all cases. */
public record UploadedBytes(long ofCase, long ofUser) {

    /** With a file, beside which its user has others under way. @param ofUserUnderWay bytes of all these files, with the first one's */
    public UploadedBytes plus(long bytes, long ofUserUnderWay) {
        return new UploadedBytes(ofCase + bytes, ofUser + ofUserUnderWay);
    }
}
