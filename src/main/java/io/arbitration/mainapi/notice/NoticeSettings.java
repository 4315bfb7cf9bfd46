package io.arbitration.mainapi.notice;

import io.arbitration.platform.config.Configuration;

/**
 * How many addresses outside of a case, and participants of cases, notices may go to; days are those of UTC.
 *
 * @param outsidePerUserAndDay from one user, in all cases together
 * @param insidePerUserAndDay the same for participants
 */
public record NoticeSettings(int outsidePerUserAndDay, int outsidePerCaseAndDay, int insidePerUserAndDay) {

    public static NoticeSettings read(Configuration c) {
        return new NoticeSettings(c.whole("notices.outsidePerUserAndDay", 0, 100_000), c.whole("notices.outsidePerCaseAndDay", 0, 100_000),
                c.whole("notices.insidePerUserAndDay", 1, 1_000_000));
    }
}
