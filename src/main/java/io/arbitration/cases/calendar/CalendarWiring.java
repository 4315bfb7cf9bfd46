package io.arbitration.cases.calendar;

import io.arbitration.platform.AreaServices;
import io.arbitration.platform.config.AreaSettings;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Vertx;
import java.time.Duration;

/** Wires the calendar feeds. */
public final class CalendarWiring {

    private static final int GUESSES_PER_MINUTE = 30;

    private final FeedHandlers handlers;

    public CalendarWiring(Vertx vertx, AreaServices services, AreaSettings areas, CalendarSource deadlines, CalendarSource hearings) {
        handlers = new FeedHandlers(new FeedService(vertx, services.database(), new FeedRepository(services.database()), deadlines, hearings,
                services.rates().limiter("calendar", GUESSES_PER_MINUTE, Duration.ofMinutes(1)), areas.url("cases", services.publicUrl()),
                services.clock(), services.random()));
    }

    public Contract bind(Contract contract) {
        return handlers.bind(contract);
    }
}
