package io.arbitration.mainapi.docket;

import io.arbitration.domain.UserId;
import io.arbitration.platform.answer.Page;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.TimeKey;
import io.arbitration.platform.listing.PageByTime;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.UUID;

/** What was entered lately on the dockets of the caller's cases. */
public final class RecentEntries {

    private final RecentEntryRepository repository;

    public RecentEntries(Database database) {
        this.repository = new RecentEntryRepository(database);
    }

    /** The newest first. */
    Future<PageByTime<RecentEntry>> page(Instant since, PageByTime.Wanted wanted, Requester requester) {
        return repository.ofUser(new UserId(requester.userId()), since, wanted.after(), wanted.rows())
                .map(found -> PageByTime.of(Page.of(found, wanted.limit(), Page.BYTES_MAX, entry -> Page.jsonBytes(json(entry).encode())), RecentEntries::place));
    }

    /** The key of the next page: the number that identifies the entry is in the lower half of the UUID. */
    private static TimeKey place(RecentEntry recent) {
        return new TimeKey(recent.entry().enteredAt().toInstant(), new UUID(0, recent.entry().entryId()));
    }

    /** The entry as docket lists show it, and its case. */
    static JsonObject json(RecentEntry recent) {
        return EntryJson.listed(recent.entry()).put("caseID", recent.caseId().toString()).put("caseTitle", recent.caseTitle());
    }
}
