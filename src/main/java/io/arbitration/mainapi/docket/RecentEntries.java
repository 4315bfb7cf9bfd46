package io.arbitration.mainapi.docket;

import io.arbitration.domain.UserId;
import io.arbitration.platform.answer.Page;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.TimeKey;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** What was entered lately on the dockets of the caller's cases. */
public final class RecentEntries {

    private final RecentEntryRepository repository;

    public RecentEntries(Database database) {
        this.repository = new RecentEntryRepository(database);
    }

    /** The newest first. */
    Future<Page<RecentEntry>> page(Instant since, Optional<TimeKey> before, int limit, Requester requester) {
        return repository.ofUser(new UserId(requester.userId()), since, before.orElse(TimeKey.LAST), limit + 1)
                .map(found -> Page.of(found, limit, Page.BYTES_MAX, entry -> Page.jsonBytes(json(entry).encode())));
    }

    /** Where the page after this one starts; empty when there is none. */
    static Optional<TimeKey> next(Page<RecentEntry> page) {
        if (!page.more()) {
            return Optional.empty();
        }
        ListedEntry last = page.items().getLast().entry();
        return Optional.of(new TimeKey(last.enteredAt().toInstant(), new UUID(0, last.entryId())));
    }

    /** The entry as docket lists show it, and its case. */
    static JsonObject json(RecentEntry recent) {
        return EntryJson.listed(recent.entry()).put("caseID", recent.caseId().toString()).put("caseTitle", recent.caseTitle());
    }
}
