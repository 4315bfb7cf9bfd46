package io.arbitration.domain.notice;

/** Why a notice is not served, or not seen. */
public sealed interface NoticeRejection {

    record NotAParticipant() implements NoticeRejection {}

    record IsObserver() implements NoticeRejection {}

    record MayNotFile() implements NoticeRejection {}

    record CaseClosed() implements NoticeRejection {}

    /** The user at that place of the request takes no part in the case. */
    record NoSuchRecipient(int place) implements NoticeRejection {}

    /** The account of the user at that place has no address that email can be sent to. */
    record NoAddress(int place) implements NoticeRejection {}

    /** Nobody but its filer answers for the entry, and the address at that place is that of nobody in the case. */
    record OutsideOfTheCase(int place) implements NoticeRejection {}

    record TooManyInCase(int most) implements NoticeRejection {}

    /** The user has named more outside recipients today, in all cases together. */
    record TooManyOutsideOfUser(int most) implements NoticeRejection {}

    record TooManyOutsideOfCase(int most) implements NoticeRejection {}
}
