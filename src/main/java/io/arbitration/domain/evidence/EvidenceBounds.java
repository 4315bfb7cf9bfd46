package io.arbitration.domain.evidence;

/**
 * The bounds of evidence.
 *
 * @param uploadsPerPartyMax exhibits of one party in a case
 * @param caseBytesMax bytes of all exhibits and files of filings of a case
 * @param userBytesMax bytes of all exhibits and files of filings that one user has uploaded, in all cases
 */
public record EvidenceBounds(int uploadsPerPartyMax, long caseBytesMax, long userBytesMax) {}
