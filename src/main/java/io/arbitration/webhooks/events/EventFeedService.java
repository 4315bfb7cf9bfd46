package io.arbitration.webhooks.events;

import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.Page;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.limits.Bulkhead;
import io.arbitration.webhooks.events.EventFeedRepository.FeedEvent;
import io.arbitration.webhooks.members.Members;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** The events that concern an organization, for its members to read. */
public final class EventFeedService {

    private static final int RETRY_SECONDS = 1;

    private final EventFeedRepository feed;
    private final Members members;
    private final Bulkhead pages = new Bulkhead(Bulkhead.PAGES, () -> HttpError.OVERLOADED.refusal().retryAfter(RETRY_SECONDS),
            () -> EventFeedError.PAGES_OF_CALLER.refusal(Bulkhead.PAGES.mostPerCaller()).retryAfter(RETRY_SECONDS));

    public EventFeedService(EventFeedRepository feed, Members members) {
        this.feed = feed;
        this.members = members;
    }

    /**
     * The events before or after a position, in the order of {@link EventFeedRepository.Side}; none if the caller acts for no organization.
     */
    Future<List<FeedEvent>> list(Requester requester, EventFeedRepository.Side side, Optional<String> event, int limit) {
        return members.find(requester).compose(member -> member.isEmpty()
                ? Future.succeededFuture(List.of())
                : pages.run(requester.userId(), () -> feed.list(member.get().organizationId(), side, event, limit))
                        .map(found -> SandboxMark.bounded(Page.of(found, limit, Page.BYTES_MAX, one -> one.envelope().length()).items())));
    }
}
