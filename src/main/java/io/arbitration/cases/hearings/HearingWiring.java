package io.arbitration.cases.hearings;

import io.arbitration.cases.CaseChanges;
import io.arbitration.cases.CasesRepository;
import io.arbitration.cases.calendar.CalendarSource;
import io.arbitration.domain.cases.CasePermissions;
import io.arbitration.domain.cases.Definitions;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.config.AreaSettings;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.queue.BusHandover;
import io.arbitration.platform.queue.Dispatcher;
import io.arbitration.platform.queue.Handover;
import io.arbitration.platform.queue.LeaseQueue;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** Wires the hearings: their operations, and the queues that notify people of them. */
public final class HearingWiring {

    private final HearingHandlers handlers;
    private final CalendarSource calendar;
    private final Dispatcher<HearingNotification, Handover.Outcome<HearingNotification>> notifications;
    private final Dispatcher<ClosedHearing, ClosedHearing> closings;

    /**
     * @param calendarDomain in the UIDs of calendar entries
     * @param senderAddress of the platform's emails, the organizer
     */
    public HearingWiring(Vertx vertx, AreaServices services, AreaSettings areas, CasesRepository cases, CaseChanges changes, Definitions definitions,
            String calendarDomain, String senderAddress) {
        HearingRepository hearings = new HearingRepository(services.database());
        calendar = new HearingCalendar(hearings, cases, calendarDomain);
        handlers = new HearingHandlers(new HearingService(services.database(), hearings, changes,
                new CasePermissions(definitions), new HearingTrail(hearings, services.events(), services.audit(), services.random()),
                services.clock(), services.random()));
        HearingNotificationRepository repository = new HearingNotificationRepository(services.database(), new HearingNotification.Sender(calendarDomain, senderAddress), services.clock());
        notifications = LeaseQueue.dispatcher(vertx, services, Handover.terms(HearingNotificationRepository.QUEUE), repository,
                new Handover<>(new BusHandover(vertx, areas), HearingNotificationRepository.QUEUE, services.random()), Handover.IN_FLIGHT_MAX);
        closings = LeaseQueue.dispatcher(vertx, services, LeaseQueue.Terms.of(ClosedHearingRepository.QUEUE, ClosedHearingRepository.LEASE),
                new ClosedHearingRepository(services.database(), hearings), Future::succeededFuture, ClosedHearingRepository.AT_ONCE_MAX);
    }

    public Contract bind(Contract contract) {
        return handlers.bind(contract);
    }

    /** The hearings of users for their calendars. */
    public CalendarSource calendar() {
        return calendar;
    }

    public void start() {
        notifications.start();
        closings.start();
    }

    public Future<Void> stop() {
        return Future.join(closings.stop(), notifications.stop()).mapEmpty();
    }
}
