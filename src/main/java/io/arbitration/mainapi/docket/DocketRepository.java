package io.arbitration.mainapi.docket;

import static io.arbitration.platform.db.Database.query;

import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/** The docket in the database. */
public final class DocketRepository {

    private static final String REFERENCES = """
            select e.entry_id, e.case_id, e.party_id, e.root_entry_id,
                   exists (select from mainapi.entries s where s.supersedes = e.entry_id)
            from mainapi.entries e where e.entry_id = any($1)
            """;

    private final Database database;

    public DocketRepository(Database database) {
        this.database = database;
    }

    /**
     * Appends entries and moves the heads of their cases, as part of the transaction that holds the heads' locks.
     *
     * @param entries in the order in which they were made
     */
    public Future<Void> append(SqlConnection transaction, List<DocketEntry> entries) {
        if (entries.isEmpty()) {
            return Future.succeededFuture();
        }
        Collection<DocketEntry> last = entries.stream()
                .collect(Collectors.toMap(DocketEntry::caseId, entry -> entry, (older, newer) -> newer)).values();
        List<DocketEntry> heads = last.stream().sorted(Comparator.comparing(DocketEntry::caseId)).toList();
        return transaction.preparedQuery("""
                with moved as (
                  update mainapi.heads h set last_number = u.number, head_hash = u.hash, entered_at = u.entered_at
                  from unnest($17::uuid[], $18::bigint[], $19::text[], $20::timestamptz[]) as u (case_id, number, hash, entered_at)
                  where h.case_id = u.case_id)
                insert into mainapi.entries (entry_id, case_id, number, filing_id, entered_at, user_id, organization_id, phase_id,
                  document_id, party_id, title, fields, supersedes, parent_entry_id, root_entry_id, previous_hash, hash)
                select entry_id, case_id, number, filing_id, entered_at, user_id, organization_id, phase_id, document_id, party_id,
                  title, fields, supersedes, parent_entry_id, root_entry_id, previous_hash, hash
                from unnest($1::bigint[], $2::uuid[], $3::bigint[], $4::bigint[], $5::timestamptz[], $6::uuid[], $7::uuid[],
                  $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::bigint[], $14::bigint[], $15::bigint[],
                  $16::text[], $21::text[])
                  as e (entry_id, case_id, number, filing_id, entered_at, user_id, organization_id, phase_id, document_id, party_id,
                  title, fields, supersedes, parent_entry_id, root_entry_id, previous_hash, hash)
                """).execute(values(entries, heads)).mapEmpty();
    }

    private static Tuple values(List<DocketEntry> entries, List<DocketEntry> heads) {
        Tuple values = new Columns<>(entries)
                .numbers(DocketEntry::entryId).ids(DocketEntry::caseId).numbers(entry -> (long) entry.number())
                .numbers(DocketEntry::filingId).times(DocketEntry::enteredAt).ids(DocketEntry::userId)
                .ids(DocketEntry::organizationId).texts(DocketEntry::phaseId).texts(DocketEntry::documentId)
                .texts(DocketEntry::partyId).texts(DocketEntry::title).texts(entry -> entry.fields().encode())
                .numbers(DocketEntry::supersedes).numbers(DocketEntry::parentEntryId).numbers(DocketEntry::rootEntryId)
                .texts(DocketEntry::previousHash).tuple();
        Tuple ofHeads = new Columns<>(heads)
                .ids(DocketEntry::caseId).numbers(entry -> (long) entry.number()).texts(DocketEntry::hash).times(DocketEntry::enteredAt).tuple();
        for (int i = 0; i < ofHeads.size(); i++) {
            values.addValue(ofHeads.getValue(i));
        }
        return values.addArrayOfString(entries.stream().map(DocketEntry::hash).toArray(String[]::new));
    }

    /** The entries of these ids that filings refer to. */
    public Future<Map<Long, EntryReference>> references(SqlConnection transaction, Long[] entryIds) {
        return query(transaction, REFERENCES, Tuple.of(entryIds), DocketRepository::reference).map(DocketRepository::byId);
    }

    /** The same outside a transaction. */
    public Future<Map<Long, EntryReference>> references(Long... entryIds) {
        return database.query(REFERENCES, Tuple.of(entryIds), DocketRepository::reference).map(DocketRepository::byId);
    }

    private static Map.Entry<Long, EntryReference> reference(Row row) {
        return Map.entry(row.getLong(0), new EntryReference(row.getUUID(1), row.getString(2), row.getLong(3), row.getBoolean(4)));
    }

    private static Map<Long, EntryReference> byId(List<Map.Entry<Long, EntryReference>> references) {
        return references.stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** What a caller may read of a docket: whether it has a part in the case, and how long the docket is. */
    record Access(boolean participant, int lastNumber) {}

    /** Who wants to read which docket. */
    record Reader(UUID caseId, UUID userId) {}

    /** What each of these may read, in their order; empty where there is no such case. */
    Future<List<Optional<Access>>> accesses(List<Reader> readers) {
        // Looked up reader by reader, behind an offset that keeps the planner from joining: joined, it reads small tables whole.
        // Selected, the arrays hide their lengths, for which it would plan anew at many a call: three times what the lookup costs.
        // Who has a part in a case proves that there is one.
        return database.query("""
                select r.last_number is not null or exists (select from cases_api.cases c where c.case_id = r.case_id),
                       r.last_number is not null, coalesce(r.last_number, 0)
                from (
                  select asked.case_id, asked.n, (
                    select coalesce(h.last_number, 0)
                    from cases_api.participants p left join mainapi.heads h on h.case_id = p.case_id
                    where p.case_id = asked.case_id and p.user_id = asked.user_id) as last_number
                  from unnest((select $1::uuid[]), (select $2::uuid[])) with ordinality as asked (case_id, user_id, n)
                  offset 0) r
                order by r.n
                """, new Columns<>(readers).ids(Reader::caseId).ids(Reader::userId).tuple(),
                row -> row.getBoolean(0) ? Optional.of(new Access(row.getBoolean(1), row.getInteger(2))) : Optional.empty());
    }

    /** The list of the entries after one number up to another. */
    Future<Buffer> list(UUID caseId, int afterNumber, int lastNumber) {
        return database.query("""
                select entry_id, entered_at, user_id, organization_id, phase_id, document_id, party_id, filing_id, title, supersedes
                from mainapi.entries where case_id = $1 and number > $2 and number <= $3 order by number
                """, Tuple.of(caseId, afterNumber, lastNumber), row -> row).map(DocketListBody::of);
    }

    /** A whole docket. */
    record WholeList(int lastNumber, Buffer list) {}

    /** The whole docket, in one statement, if the user has a part in the case and the docket has an entry. */
    Future<Optional<WholeList>> wholeList(Reader reader) {
        // Bounded by the head, the planner reads the entries in the order of their numbers and sorts nothing.
        return database.query("""
                select entry_id, entered_at, user_id, organization_id, phase_id, document_id, party_id, filing_id, title, supersedes,
                       number
                from mainapi.entries
                where case_id = $1 and number > 0 and number <= (
                  select h.last_number
                  from cases_api.participants p join mainapi.heads h on h.case_id = p.case_id
                  where p.case_id = $1 and p.user_id = $2)
                order by number
                """, Tuple.of(reader.caseId, reader.userId), row -> row)
                .map(rows -> rows.isEmpty() ? Optional.empty()
                        : Optional.of(new WholeList(rows.getLast().getInteger(10), DocketListBody.of(rows))));
    }

    /** Filters of a listing; null where there is none. */
    record Filter(String documentId, String partyId, String phaseId, int afterNumber, Integer limit) {}

    Future<Buffer> filtered(UUID caseId, Filter filter) {
        return database.query("""
                select entry_id, entered_at, user_id, organization_id, phase_id, document_id, party_id, filing_id, title, supersedes
                from mainapi.entries
                where case_id = $1 and number > $2 and ($3::text is null or document_id = $3)
                  and ($4::text is null or party_id = $4) and ($5::text is null or phase_id = $5)
                order by number
                limit $6
                """, Tuple.of(caseId, filter.afterNumber, filter.documentId, filter.partyId, filter.phaseId, filter.limit), row -> row)
                .map(DocketListBody::of);
    }

    /** An entry and the one that superseded it, null when none did. */
    public record Viewed(DocketEntry entry, Long supersededBy) {}

    /** The entry of that id, if it is of that case. */
    public Future<Optional<Viewed>> find(UUID caseId, long entryId) {
        return database.query("""
                select e.*, (select s.entry_id from mainapi.entries s where s.supersedes = e.entry_id) as superseded_by
                from mainapi.entries e where e.case_id = $1 and e.entry_id = $2
                """, Tuple.of(caseId, entryId), row -> new Viewed(entry(row), row.getLong("superseded_by")))
                .map(rows -> rows.stream().findFirst());
    }

    /** Links of the chain after a number, in order, at most so many. */
    Future<List<ChainLink>> links(UUID caseId, int afterNumber, int limit) {
        return database.query("""
                select * from mainapi.entries where case_id = $1 and number > $2 order by number limit $3
                """, Tuple.of(caseId, afterNumber, limit), row -> new ChainLink(row.getLong("entry_id"), row.getInteger("number"),
                        row.getString("previous_hash"), row.getString("hash"), () -> entry(row)));
    }

    /** An entry with what its paper says beside it. */
    public Future<Optional<PaperEntry>> paper(UUID caseId, long entryId) {
        return papers("e.case_id = $1 and e.entry_id = $2", Tuple.of(caseId, entryId, Integer.MAX_VALUE))
                .map(entries -> entries.stream().findFirst());
    }

    /**
     * The same for the entries after a number and up to another, in order.
     *
     * @param known the last entry that counts: what came later supersedes nothing here
     */
    public Future<List<PaperEntry>> papersUpTo(UUID caseId, int afterNumber, int lastNumber, int known) {
        return papers("e.case_id = $1 and e.number > $2 and e.number <= $4 order by e.number",
                Tuple.of(caseId, (long) afterNumber, known, lastNumber));
    }

    /** @param which entries: a condition on {@code e}; the third value is the last number that is told of */
    private Future<List<PaperEntry>> papers(String which, Tuple values) {
        return database.query("""
                select e.*, c.title as case_title, s.entry_id as superseded_by, s.number as superseded_by_number,
                       o.number as supersedes_number, p.number as parent_number
                from mainapi.entries e
                join cases_api.cases c on c.case_id = e.case_id
                left join mainapi.entries s on s.supersedes = e.entry_id and s.number <= $3
                left join mainapi.entries o on o.entry_id = e.supersedes
                left join mainapi.entries p on p.entry_id = e.parent_entry_id
                where\s""" + which, values, DocketRepository::paperEntry);
    }

    private static PaperEntry paperEntry(Row row) {
        DocketEntry entry = entry(row);
        Map<Long, Integer> numbers = new HashMap<>();
        numbers.put(row.getLong("superseded_by"), row.getInteger("superseded_by_number"));
        numbers.put(entry.supersedes(), row.getInteger("supersedes_number"));
        numbers.put(entry.parentEntryId(), row.getInteger("parent_number"));
        numbers.remove(null);
        return new PaperEntry(row.getString("case_title"), entry, row.getLong("superseded_by"), numbers);
    }

    /**
     * The end of a docket as the case's head states it, and the first entry behind that: one that the head does not cover;
     * null where there is none, as it must be.
     */
    public record Head(int lastNumber, String hash, Long firstBehind) {}

    /** Head and entries of one moment: an entry made meanwhile is not mistaken for one that the head leaves out. */
    public Future<Head> head(UUID caseId) {
        return database.query("""
                select coalesce(h.last_number, 0), coalesce(h.head_hash, $2),
                       (select e.entry_id from mainapi.entries e
                        where e.case_id = $1 and e.number > coalesce(h.last_number, 0) order by e.number limit 1)
                from (select) always left join mainapi.heads h on h.case_id = $1
                """, Tuple.of(caseId, DocketEntry.FIRST_PREVIOUS_HASH),
                row -> new Head(row.getInteger(0), row.getString(1), row.getLong(2)))
                .map(List::getFirst);
    }

    private static DocketEntry entry(Row row) {
        return new DocketEntry(row.getLong("entry_id"), row.getUUID("case_id"), row.getInteger("number"), row.getLong("filing_id"),
                row.getOffsetDateTime("entered_at").toInstant(), row.getUUID("user_id"), row.getUUID("organization_id"),
                row.getString("phase_id"), row.getString("document_id"), row.getString("party_id"), row.getString("title"),
                new JsonObject(row.getString("fields")), row.getLong("supersedes"), row.getLong("parent_entry_id"),
                row.getLong("root_entry_id"), row.getString("previous_hash"), row.getString("hash"));
    }
}
