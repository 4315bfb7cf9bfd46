package io.arbitration.cases.deadlines;

import io.arbitration.cases.CasesRepository;
import io.arbitration.cases.CasesRepository.Titled;
import io.arbitration.cases.TimeWindow;
import io.arbitration.cases.calendar.CalendarSource;
import io.arbitration.cases.deadlines.ExtensionRepository.Changes;
import io.arbitration.domain.CaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.CaseDeadline;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.time.CalendarText;
import io.arbitration.platform.db.TimeKey;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The deadlines of a user's cases for a calendar: each at its last instant, in the time zone of its rule set. */
final class DeadlineCalendar implements CalendarSource {

    private final UserDeadlineRepository deadlines;
    private final ExtensionRepository extensions;
    private final CasesRepository cases;
    private final CaseRules rules;
    private final String domain;

    DeadlineCalendar(UserDeadlineRepository deadlines, ExtensionRepository extensions, CasesRepository cases, CaseRules rules, String domain) {
        this.deadlines = deadlines;
        this.extensions = extensions;
        this.cases = cases;
        this.rules = rules;
        this.domain = domain;
    }

    @Override
    public Future<List<CalendarText.Entry>> earliest(UserId userId, Instant from, Instant until, int limit) {
        return deadlines.ofUser(userId, new TimeWindow(Optional.of(from), Optional.of(until)), TimeKey.FIRST, limit).compose(this::entries);
    }

    @Override
    public Future<List<CalendarText.Entry>> latest(UserId userId, Instant from, Instant until, int limit) {
        return deadlines.latestOfUser(userId, new TimeWindow(Optional.of(from), Optional.of(until)), limit).compose(this::entries);
    }

    private Future<List<CalendarText.Entry>> entries(List<ListedDeadline> found) {
        List<CaseId> caseIds = found.stream().map(one -> one.deadline().caseId()).distinct().toList();
        return cases.titles(caseIds).compose(titles -> extensions.changes(found.stream().map(one -> one.deadline().deadlineId()).toList()).map(changes -> found.stream()
                .map(one -> entry(one, titles.get(one.deadline().caseId()), Optional.ofNullable(changes.get(one.deadline().deadlineId())))).toList()));
    }

    /** @param changes empty if the deadline was deleted meanwhile */
    private CalendarText.Entry entry(ListedDeadline listed, Titled of, Optional<Changes> changes) {
        CaseDeadline deadline = listed.deadline();
        Instant changed = changes.map(Changes::last).orElse(deadline.set().trigger());
        Instant date = listed.current().date();
        String summary = "%s: %s (%s)".formatted(of.marked(), rules.definitions().documentName(deadline.documentId()),
                rules.definitions().partyName(deadline.partyId()));
        String description = "Deadline, %s%s%s".formatted(deadline.set().rule(), listed.extendedTo().isPresent() ? ", extended" : "",
                listed.isMet() ? ". Met." : ".");
        return new CalendarText.Entry("deadline-%s@%s".formatted(deadline.deadlineId(), domain),
                changes.map(Changes::grants).orElse(0), changed, changed, date, date,
                rules.ruleSet(of.ruleSet()).timeZone(), summary, Optional.empty(), Optional.empty(), Optional.of(description), Optional.of(CalendarText.Status.CONFIRMED),
                Optional.empty(), Optional.empty());
    }
}
