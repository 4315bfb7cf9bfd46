package io.arbitration.domain.evidence;

/** The reasons why the rules refuse evidence. */
public enum UploadRefusal {
    CASE_NOT_FOUND,
    CATEGORY_NOT_FOUND,
    NOT_A_PARTICIPANT,
    OBSERVER,
    MAY_NOT_FILE,
    CASE_CLOSED,
    NOT_TAKEN_IN_PHASE,
    TOO_MANY_OF_PARTY,
    TOO_MANY_BYTES_OF_CASE,
    TOO_MANY_BYTES_OF_PARTY,
    TOO_MANY_BYTES_OF_USER
}
