package io.arbitration.cases.calendar;

import io.arbitration.domain.Identifiers;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.listing.PageByTime;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.request.ClientNetwork;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Optional;

/** The operations under {@code /calendar}. */
final class FeedHandlers {

    private final FeedService service;

    FeedHandlers(FeedService service) {
        this.service = service;
    }

    Contract bind(Contract contract) {
        return contract.bind("createCalendarFeed", this::create)
                .bind("listCalendarFeeds", this::list)
                .bind("revokeCalendarFeed", this::revoke)
                .bind("readCalendarFeed", this::read);
    }

    private Future<Reply> create(Call call) {
        Optional<String> name = call.optionalName("name");
        return service.create(name, call.requester()).map(created -> Reply.json(new JsonObject()
                .put("feedID", created.feedId().toString()).put("url", created.url())));
    }

    private Future<Reply> list(Call call) {
        return service.list(PageByTime.Wanted.of(call), call.requester()).map(page -> page.reply("feeds", FeedHandlers::json));
    }

    private static JsonObject json(Feed feed) {
        return new JsonObject().put("feedID", feed.feedId().toString()).put("name", feed.name().orElse(null)).put("created", Timestamps.text(feed.created()));
    }

    private Future<Reply> revoke(Call call) {
        return service.revoke(Identifiers.uuid(call.text("feedID")), call.requester()).map(Reply.sentence("Calendar feed revoked."));
    }

    /** Programs cache the calendar and ask whether their copy is still current. */
    private Future<Reply> read(Call call) {
        return service.read(call.pathParameter("feed"), ClientNetwork.of(call.remoteAddress()))
                .map(text -> Reply.kept(FeedService.CONTENT_TYPE, text, Map.of("Cache-Control", "private, no-cache")));
    }
}
