package io.arbitration.cases.hearings;

import io.arbitration.cases.CasesRepository;
import io.arbitration.cases.TimeWindow;
import io.arbitration.cases.calendar.CalendarSource;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Hearing;
import io.arbitration.domain.time.CalendarText;
import io.arbitration.platform.db.TimeKey;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The hearings of a user's cases for a calendar, including cancelled ones. */
final class HearingCalendar implements CalendarSource {

    private final HearingRepository hearings;
    private final CasesRepository cases;
    private final String domain;

    HearingCalendar(HearingRepository hearings, CasesRepository cases, String domain) {
        this.hearings = hearings;
        this.cases = cases;
        this.domain = domain;
    }

    @Override
    public Future<List<CalendarText.Entry>> earliest(UserId userId, Instant from, Instant until, int limit) {
        return hearings.ofUser(userId, new TimeWindow(Optional.of(from), Optional.of(until)), TimeKey.FIRST, limit).compose(this::entries);
    }

    @Override
    public Future<List<CalendarText.Entry>> latest(UserId userId, Instant from, Instant until, int limit) {
        return hearings.latestOfUser(userId, new TimeWindow(Optional.of(from), Optional.of(until)), limit).compose(this::entries);
    }

    private Future<List<CalendarText.Entry>> entries(List<Hearing> found) {
        return cases.titles(found.stream().map(Hearing::caseId).distinct().toList()).map(titles -> found.stream()
                .map(hearing -> HearingEntry.of(hearing, titles.get(hearing.caseId()).marked(), domain)).toList());
    }
}
