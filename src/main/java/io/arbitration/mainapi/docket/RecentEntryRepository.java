package io.arbitration.mainapi.docket;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.UserId;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.TimeKey;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;

/** Reads what was entered lately on the dockets of somebody's cases. */
final class RecentEntryRepository {

    static final String OF_USER = "select " + DocketListRepository.LISTED_COLUMNS + """
            , withheld, case_id, case_title
            from (
              select e.*, mainapi.withheld(e.entry_id, $1) as withheld, c.title as case_title
              from (
                select k.entry_id
                from cases_api.participants p
                cross join lateral (select from mainapi.heads h where h.case_id = p.case_id and h.entered_at >= $2 offset 0) h
                cross join lateral (
                  select r.entered_at, r.entry_id from mainapi.entries r
                  where r.case_id = p.case_id and r.entered_at >= $2 and (r.entered_at, r.entry_id) < ($3, $4)
                  order by r.entered_at desc, r.entry_id desc
                  limit $5) k
                where p.user_id = $1
                order by k.entered_at desc, k.entry_id desc
                limit $5) page
              join mainapi.entries e using (entry_id)
              join cases_api.cases c on c.case_id = e.case_id) recent
            order by entered_at desc, entry_id desc
            """;

    private final Database database;

    RecentEntryRepository(Database database) {
        this.database = database;
    }

    /**
     * The entries since then in the cases that the user takes part in now, before the cursor, the newest first. Cases whose head is older
     * are not looked into, and of each other one no more entries are read from the index than the page has.
     *
     * @param before the lower half of its id is an entry's
     */
    Future<List<RecentEntry>> ofUser(UserId userId, Instant since, TimeKey before, int limit) {
        return database.query(OF_USER, Tuple.of(userId.value(), since.atOffset(ZoneOffset.UTC), before.at().atOffset(ZoneOffset.UTC), before.id().getLeastSignificantBits(), limit),
                row -> new RecentEntry(new CaseId(row.getUUID("case_id")), row.getString("case_title"), DocketListRepository.listed(row)));
    }
}
