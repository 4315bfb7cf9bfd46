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

/** The parts that keep hearings and tell people of them, wired. */
public final class HearingWiring {

    private final HearingHandlers handlers;
    private final CalendarSource calendar;
    private final Dispatcher<HearingNews, Handover.Outcome<HearingNews>> news;
    private final Dispatcher<ClosedHearing, ClosedHearing> closings;

    /**
     * @param calendarDomain in the UIDs of calendar entries
     * @param senderAddress  of the platform's emails, which invites
     */
    public HearingWiring(Vertx vertx, AreaServices services, AreaSettings areas, CasesRepository cases, CaseChanges changes, Definitions definitions,
            String calendarDomain, String senderAddress) {
        HearingRepository hearings = new HearingRepository(services.database());
        calendar = new HearingCalendar(hearings, cases, calendarDomain);
        handlers = new HearingHandlers(new HearingService(services.database(), hearings, changes,
                new CasePermissions(definitions), new HearingTrail(hearings, services.events(), services.audit(), services.random()),
                services.clock(), services.random()));
        HearingNewsRepository repository = new HearingNewsRepository(services.database(), new HearingNews.Sender(calendarDomain, senderAddress), services.clock());
        news = LeaseQueue.dispatcher(vertx, services, Handover.terms(HearingNewsRepository.QUEUE), repository,
                new Handover<>(new BusHandover(vertx, areas), HearingNewsRepository.QUEUE, services.random()), Handover.IN_FLIGHT_MAX);
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
        news.start();
        closings.start();
    }

    public Future<Void> stop() {
        return closings.stop().compose(stopped -> news.stop());
    }
}
