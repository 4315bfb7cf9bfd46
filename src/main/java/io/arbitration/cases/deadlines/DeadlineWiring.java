package io.arbitration.cases.deadlines;

import io.arbitration.cases.CaseChanges;
import io.arbitration.cases.CasesRepository;
import io.arbitration.cases.calendar.CalendarSource;
import io.arbitration.domain.cases.CasePermissions;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.cases.RuleSet;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.EventConsumer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;

/** Wires the deadlines of cases: storing, listing, extending, reminding, and computing again. */
public final class DeadlineWiring {

    private static final String CONSUMER = "deadlines";
    /**
     * How long the consumer of events collects docket entries before it stores the deadlines that they start. A request for the
     * deadlines of a case stores them at once.
     */
    private static final Duration GATHERING = Duration.ofMillis(200);

    private final DeadlineStorage storage;
    private final AreaServices services;
    private final DeadlineRepository deadlines;
    private final ExtensionRepository extensions;
    private final CaseRules rules;
    private final SandboxDeadlines sandboxes;
    private final EventConsumer consumer;
    private final Reminders reminders;
    private final Recalculation recalculation;

    /** @param rulesFingerprint a hash of all inputs, other than the case, of the dates of deadlines */
    public DeadlineWiring(Vertx vertx, AreaServices services, CaseRules rules, String rulesFingerprint, DeadlinesSettings settings) {
        this.services = services;
        this.rules = rules;
        Database database = services.database();
        deadlines = new DeadlineRepository(database, settings.lookPeriod());
        extensions = new ExtensionRepository(database, settings.lookPeriod());
        storage = new DeadlineStorage(database, deadlines, rules, services.clock());
        sandboxes = new SandboxDeadlines(deadlines, storage, rules, services.events(), services.random());
        consumer = new EventConsumer(vertx, database, services.notifications(), services.meters(), services.traces(), CONSUMER, GATHERING,
                storage::keepAfter);
        List<Integer> days = rules.definitions().ruleSets().stream().map(RuleSet::reminderDays).flatMap(List::stream).distinct().toList();
        reminders = new Reminders(vertx, database, new ReminderRepository(database), services.events(), services.notifications(), days, settings.lookPeriod(),
                services.clock(), services.random());
        recalculation = new Recalculation(vertx, database, storage, services.nodeId(), rulesFingerprint, settings.lookPeriod());
    }

    /** Stores the deadlines of a case in the transaction that changes the case. */
    public DeadlineStorage storage() {
        return storage;
    }

    /** The handlers of the operations on deadlines. */
    public DeadlinesHandlers handlers(CaseChanges changes) {
        return new DeadlinesHandlers(new DeadlinesService(services.database(), deadlines, extensions, changes, storage,
                new CasePermissions(rules.definitions()), services.events(), services.audit(), services.clock(), services.random()));
    }

    /**
     * The deadlines of users for their calendars.
     *
     * @param domain the part of the UIDs of calendar entries after the @
     */
    public CalendarSource calendar(CasesRepository cases, String domain) {
        return new DeadlineCalendar(new UserDeadlineRepository(services.database()), extensions, cases, rules, domain);
    }

    /** The deadlines of sandboxes, for setting their clocks forward. */
    public SandboxDeadlines sandboxes() {
        return sandboxes;
    }

    public Future<Void> start() {
        return consumer.start().compose(started -> reminders.start()).compose(started -> recalculation.start());
    }

    public Future<Void> stop() {
        return Future.join(recalculation.stop(), consumer.stop(), reminders.stop()).mapEmpty();
    }
}
