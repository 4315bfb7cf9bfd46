package io.arbitration.domain.notice;

/** The reasons why a notice is not served, or not shown. */
public sealed interface NoticeRefusal {

    record NotAParticipant() implements NoticeRefusal {}

    record IsObserver() implements NoticeRefusal {}

    record MayNotFile() implements NoticeRefusal {}

    record CaseClosed() implements NoticeRefusal {}

    /** The user at that position of the request is no participant of the case. */
    record NoSuchRecipient(int place) implements NoticeRefusal {}

    /** The account of the user at that position has no email address. */
    record NoAddress(int place) implements NoticeRefusal {}

    /** The entry is sealed, and the serving user may not see it. */
    record EntrySealed() implements NoticeRefusal {}

    /** The entry is sealed, and the recipient at that position may not see it. */
    record MayNotSee(int place) implements NoticeRefusal {}

    /** Only its filer is responsible for the entry, and the address at that position belongs to no participant of the case. */
    record OutsideOfTheCase(int place) implements NoticeRefusal {}

    record TooManyInCase(int most) implements NoticeRefusal {}

    /** The user has named too many outside recipients today, in all cases together. */
    record TooManyOutsideOfUser(int most) implements NoticeRefusal {}

    record TooManyOutsideOfCase(int most) implements NoticeRefusal {}

    /** The users of the sender's party have named more outside recipients in this case today. */
    record TooManyOutsideOfSide(int most) implements NoticeRefusal {}

    /** The user has served more participants today, in all cases together. */
    record TooManyInsideOfUser(int most) implements NoticeRefusal {}
}
