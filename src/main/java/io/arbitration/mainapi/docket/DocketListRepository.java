package io.arbitration.mainapi.docket;

import static io.arbitration.platform.db.Database.query;

import io.arbitration.domain.docket.EntryVisibility;
import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/** Reads the lists of dockets, and what a caller may read of them. */
public final class DocketListRepository implements DocketRows {

    /** The columns that {@link #listed(Row)} reads; the next column must say whether the entry is withheld. */
    static final String LISTED_COLUMNS = """
            entry_id, number, entered_at, user_id, organization_id, phase_id, document_id, party_id, filing_id, title, supersedes
            """;

    private final Database database;

    public DocketListRepository(Database database) {
        this.database = database;
    }

    /**
     * A list of a docket that is the same for all who may read it.
     *
     * @param partyId the party of the readers, if an entry was ever sealed; otherwise empty, because everybody reads the same
     */
    record View(UUID caseId, String partyId) {}

    /**
     * What a caller may read of a docket.
     *
     * @param participant whether it takes part in the case
     * @param seals       the count of seal changes of the case
     */
    record Access(boolean participant, int lastNumber, int seals, View view) {}

    /** Who wants to read which docket. */
    record Reader(UUID caseId, UUID userId) {}

    /** What each of these may read, in their order; empty where there is no such case. */
    Future<List<Optional<Access>>> accesses(List<Reader> readers) {
        // "offset 0" makes the planner look up each reader by key. Without it, the planner joins the tables and reads small ones
        // completely. The arrays are parameters in a subselect, so that the planner does not know their lengths. Otherwise it makes a new
        // plan for many calls, which takes three times as long as the query. The existence of a case is only looked up for readers who take
        // no part in it.
        return database.query("""
                select r.party_id is not null or exists (select from cases_api.cases c where c.case_id = asked.case_id),
                       r.party_id is not null, coalesce(r.last_number, 0), coalesce(r.seals, 0), asked.case_id, r.party_id
                from unnest((select $1::uuid[]), (select $2::uuid[])) with ordinality as asked (case_id, user_id, n)
                left join lateral (
                  select p.party_id, h.last_number, h.seals
                  from cases_api.participants p left join mainapi.heads h on h.case_id = p.case_id
                  where p.case_id = asked.case_id and p.user_id = asked.user_id
                  offset 0) r on true
                order by asked.n
                """, new Columns<>(readers).ids(Reader::caseId).ids(Reader::userId).tuple(),
                row -> row.getBoolean(0) ? Optional.of(access(row)) : Optional.empty());
    }

    private static Access access(Row row) {
        int seals = row.getInteger(3);
        return new Access(row.getBoolean(1), row.getInteger(2), seals, new View(row.getUUID(4), seals == 0 ? "" : row.getString(5)));
    }

    @Override
    public Future<List<ListedEntry>> listed(View view, int afterNumber, int lastNumber, int limit) {
        return database.query("select " + LISTED_COLUMNS + """
                , entry_id = any ((select array(select s.entry_id from mainapi.seals s where s.case_id = $1 and $5 <> all (s.seen_by)))::bigint[])
                from mainapi.entries where case_id = $1 and number > $2 and number <= $3 order by number limit $4
                """, Tuple.of(view.caseId, afterNumber, lastNumber, limit, view.partyId), DocketListRepository::listed);
    }

    @Override
    public Future<List<ListedEntry>> firstListed(Reader reader, int limit) {
        // The bound by the number in the head makes the planner read the entries in the order of their numbers, without a sort.
        return database.query("select " + LISTED_COLUMNS + """
                , false
                from mainapi.entries
                where case_id = $1 and number > 0 and number <= (
                  select h.last_number
                  from cases_api.participants p join mainapi.heads h on h.case_id = p.case_id and h.seals = 0
                  where p.case_id = $1 and p.user_id = $2)
                order by number limit $3
                """, Tuple.of(reader.caseId, reader.userId, limit), DocketListRepository::listed);
    }

    /**
     * What a list is narrowed to.
     *
     * @param hasDetails whether it also shows the {@link ListedEntry.Details} of each entry
     */
    record Filter(Optional<String> documentId, Optional<String> partyId, Optional<String> phaseId, boolean hasDetails) {}

    @Override
    public Future<List<ListedEntry>> filtered(Reader reader, Filter filter, int afterNumber, int limit) {
        return database.query("select " + LISTED_COLUMNS + """
                , entry_id = any ((select array(select s.entry_id from mainapi.seals s where s.case_id = $1 and mainapi.withheld(s.entry_id, $7)))::bigint[])
                , $8 as has_details, parent_entry_id, coalesce(cardinality(file_hashes), 0) as files
                , $8 and entry_id = any ((select array(select s.entry_id from mainapi.seals s where s.case_id = $1))::bigint[]) as is_sealed
                from mainapi.entries
                where case_id = $1 and number > $2 and ($3::text is null or document_id = $3)
                  and ($4::text is null or party_id = $4) and ($5::text is null or phase_id = $5)
                order by number
                limit $6
                """, Tuple.tuple().addUUID(reader.caseId).addInteger(afterNumber).addString(filter.documentId.orElse(null))
                        .addString(filter.partyId.orElse(null)).addString(filter.phaseId.orElse(null)).addInteger(limit).addUUID(reader.userId).addBoolean(filter.hasDetails),
                row -> listed(row, row.getBoolean("has_details") ? Optional.of(details(row)) : Optional.empty()));
    }

    private static ListedEntry.Details details(Row row) {
        return row.getBoolean(11) ? new ListedEntry.Details(Optional.empty(), OptionalInt.empty(), true)
                : new ListedEntry.Details(Optional.ofNullable(row.getLong("parent_entry_id")), OptionalInt.of(row.getInteger("files")), row.getBoolean("is_sealed"));
    }

    static ListedEntry listed(Row row) {
        return listed(row, Optional.empty());
    }

    private static ListedEntry listed(Row row, Optional<ListedEntry.Details> details) {
        return new ListedEntry(row.getLong(0), row.getInteger(1), row.getOffsetDateTime(2), row.getUUID(3), Optional.ofNullable(row.getUUID(4)),
                row.getString(5), row.getString(6), row.getString(7), row.getLong(8),
                row.getBoolean(11) ? EntryVisibility.WITHHELD_TITLE : row.getString(9), Optional.ofNullable(row.getLong(10)), details);
    }

    /** The number of an entry of that case. */
    Future<Optional<Integer>> numberOf(UUID caseId, long entryId) {
        return database.query("select number from mainapi.entries where case_id = $1 and entry_id = $2", Tuple.of(caseId, entryId),
                row -> row.getInteger(0)).map(Database::first);
    }
}
