package io.arbitration.cases.hearings;

import io.arbitration.cases.TimeWindow;
import io.arbitration.domain.CaseId;
import io.arbitration.domain.HearingId;
import io.arbitration.domain.cases.Hearing;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.listing.PageByTime;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;

/** The operations under {@code /hearings}. */
final class HearingHandlers {

    private static final Instant EARLIEST = Instant.parse("1970-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");
    private static final Set<String> ZONES = Set.copyOf(ZoneId.getAvailableZoneIds());

    private final HearingService service;

    HearingHandlers(HearingService service) {
        this.service = service;
    }

    Contract bind(Contract contract) {
        return contract.bind("createHearing", this::create)
                .bind("viewHearing", this::view)
                .bind("updateHearing", this::update)
                .bind("cancelHearing", this::cancel)
                .bind("listHearings", this::list);
    }

    private Future<Reply> create(Call call) {
        Hearing.Schedule schedule = new Hearing.Schedule(call.name("title"), start(call), Duration.ofMinutes(call.integer("durationMinutes", 0)),
                zone(call), call.optionalText("place"), link(call), call.optionalText("agenda"));
        return service.schedule(caseId(call), schedule, call.requester()).map(HearingHandlers::shown);
    }

    private Future<Reply> view(Call call) {
        return service.view(caseId(call), hearingId(call), call.requester()).map(HearingHandlers::shown);
    }

    /** Absent members stay unchanged; place, link and agenda that are null are removed. */
    private Future<Reply> update(Call call) {
        Optional<String> title = call.optionalName("title");
        Optional<Instant> start = call.optionalText("start").map(text -> start(call));
        Optional<ZoneId> zone = call.optionalText("timeZone").map(text -> zone(call));
        Optional<String> link = link(call);
        return service.change(caseId(call), hearingId(call), old -> new Hearing.Schedule(title.orElse(old.title()), start.orElse(old.start()),
                        Duration.ofMinutes(call.integer("durationMinutes", (int) old.duration().toMinutes())), zone.orElse(old.timeZone()),
                        call.hasAny("place") ? call.optionalText("place") : old.place(), call.hasAny("link") ? link : old.link(),
                        call.hasAny("agenda") ? call.optionalText("agenda") : old.agenda()), call.ifMatch(), call.requester())
                .map(HearingHandlers::shown);
    }

    private Future<Reply> cancel(Call call) {
        return service.cancel(caseId(call), hearingId(call), call.textNotBlank("reason"), call.ifMatch(), call.requester())
                .map(hearing -> Reply.sentence("Hearing cancelled.").withRevision(hearing.revision()));
    }

    private Future<Reply> list(Call call) {
        TimeWindow window = TimeWindow.of(call);
        PageByTime.Wanted wanted = PageByTime.Wanted.of(call);
        Future<PageByTime<Hearing>> page = call.optionalText("caseID").isPresent() ? service.ofCase(caseId(call), window, wanted, call.requester())
                : service.ofCaller(window, wanted, call.requester());
        return page.map(found -> found.reply("hearings", HearingJson::of));
    }

    private static Reply shown(Hearing hearing) {
        return Reply.json(HearingJson.of(hearing)).withRevision(hearing.revision());
    }

    /** In whole minutes, the precision of people's calendars. */
    private static Instant start(Call call) {
        Instant start = call.time("start");
        if (!start.equals(start.truncatedTo(ChronoUnit.MINUTES))) {
            throw Refusal.badRequest("start: must be a whole minute");
        }
        if (start.isBefore(EARLIEST) || !start.isBefore(LATEST)) {
            throw Refusal.badRequest("start: from 1970 to 2199");
        }
        return start;
    }

    private static ZoneId zone(Call call) {
        String name = call.text("timeZone");
        if (!ZONES.contains(name)) {
            throw Refusal.badRequest("timeZone: must be a time zone of the IANA database like Europe/Stockholm");
        }
        return ZoneId.of(name);
    }

    private static Optional<String> link(Call call) {
        return call.optionalText("link").map(text -> {
            try {
                URI uri = new URI(text);
                if (!"https".equalsIgnoreCase(uri.getScheme()) || uri.getHost() == null) {
                    throw Refusal.badRequest("link: must be an address that begins with https://");
                }
                return uri.toASCIIString();
            } catch (URISyntaxException broken) {
                throw Refusal.badRequest("link: must be an address that begins with https://");
            }
        });
    }

    private static Optional<CaseId> caseId(Call call) {
        return CaseId.of(call.text("caseID"));
    }

    private static Optional<HearingId> hearingId(Call call) {
        return HearingId.of(call.text("hearingID"));
    }
}
