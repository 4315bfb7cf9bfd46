package io.arbitration.domain.evidence;

/**
 * The bounds of evidence.
 *
 * @param uploadsPerPartyMax exhibits of one party in a case
 * @param caseBytesMax bytes of all exhibits and files of filings of a case
 * @param partyBytesMax of these, the bytes of one party
 * @param userBytesMax bytes of all exhibits and files of filings that one user has uploaded, in all cases
 */
public record EvidenceBounds(int uploadsPerPartyMax, long caseBytesMax, long partyBytesMax, long userBytesMax) {

    /** The usual share of a party. With both sides at their bound, a fifth of the case's bytes remains for the tribunal. */
    public static long usualPartyBytesMax(long caseBytesMax) {
        return caseBytesMax / 5 * 2;
    }
}
