package io.arbitration.mainapi.notice;

import io.arbitration.platform.config.Configuration;

/**
 * How many addresses outside of a case notices may go to; days are those of UTC.
 *
 * @param outsidePerUserAndDay from one user, in all cases together
 */
public record NoticeSettings(int outsidePerUserAndDay, int outsidePerCaseAndDay) {

    public static NoticeSettings read(Configuration c) {
        return new NoticeSettings(c.whole("notices.outsidePerUserAndDay", 0, 100_000), c.whole("notices.outsidePerCaseAndDay", 0, 100_000));
    }
}
