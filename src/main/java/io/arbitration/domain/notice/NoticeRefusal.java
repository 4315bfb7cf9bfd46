package io.arbitration.domain.notice;

/** Why a notice is not served, or not seen. */
public sealed interface NoticeRefusal {

    record NotAParticipant() implements NoticeRefusal {}

    record IsObserver() implements NoticeRefusal {}

    record MayNotFile() implements NoticeRefusal {}

    record CaseClosed() implements NoticeRefusal {}

    /** The user at that place of the request takes no part in the case. */
    record NoSuchRecipient(int place) implements NoticeRefusal {}

    /** The account of the user at that place has no address that email can be sent to. */
    record NoAddress(int place) implements NoticeRefusal {}

    /** The entry is sealed, and whoever serves it may not see it. */
    record EntrySealed() implements NoticeRefusal {}

    /** The entry is sealed, and whoever has that place in the request may not see it. */
    record MayNotSee(int place) implements NoticeRefusal {}

    /** Nobody but its filer answers for the entry, and the address at that place is that of nobody in the case. */
    record OutsideOfTheCase(int place) implements NoticeRefusal {}

    record TooManyInCase(int most) implements NoticeRefusal {}

    /** The user has named more outside recipients today, in all cases together. */
    record TooManyOutsideOfUser(int most) implements NoticeRefusal {}

    record TooManyOutsideOfCase(int most) implements NoticeRefusal {}
}
