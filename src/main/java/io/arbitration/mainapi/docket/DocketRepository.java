package io.arbitration.mainapi.docket;

import static io.arbitration.platform.db.Database.query;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.docket.ChainCheck;
import io.arbitration.domain.docket.ChainLink;
import io.arbitration.domain.docket.DocketEntry;
import io.arbitration.domain.docket.EntryForm;
import io.arbitration.domain.docket.EntryReference;
import io.arbitration.domain.docket.Seal;
import io.arbitration.domain.filing.FiledFile;
import io.arbitration.domain.hash.ContentHash;
import io.arbitration.domain.time.CaseClock;
import io.arbitration.mainapi.files.FiledFiles;
import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The entries of dockets: appends them and reads them one by one. */
public final class DocketRepository {

    private static final String ENTRY_COLUMNS = """
            e.entry_id, e.case_id, e.number, e.filing_id, e.entered_at, e.user_id, e.organization_id, e.phase_id, e.document_id,
            e.party_id, e.title, e.fields, e.supersedes, e.parent_entry_id, e.root_entry_id, e.version, e.salt, e.file_hashes, e.previous_hash, e.hash
            """;
    private final Database database;

    public DocketRepository(Database database) {
        this.database = database;
    }

    /**
     * Appends entries and moves the heads of their cases, as part of the transaction that holds the locks of the heads.
     *
     * @param entries in the order in which they were made
     */
    public Future<Void> append(SqlConnection transaction, List<DocketEntry> entries) {
        if (entries.isEmpty()) {
            return Future.succeededFuture();
        }
        Collection<DocketEntry> last = entries.stream()
                .collect(Collectors.toMap(DocketEntry::caseId, entry -> entry, (older, newer) -> newer)).values();
        List<DocketEntry> heads = last.stream().sorted(Comparator.comparing(entry -> entry.caseId().value())).toList();
        return transaction.preparedQuery("""
                with moved as (
                  update mainapi.heads h set last_number = u.number, head_hash = u.hash, entered_at = u.entered_at
                  from unnest($21::uuid[], $22::bigint[], $23::text[], $24::timestamptz[]) as u (case_id, number, hash, entered_at)
                  where h.case_id = u.case_id)
                insert into mainapi.entries (entry_id, case_id, number, filing_id, entered_at, user_id, organization_id, phase_id,
                  document_id, party_id, title, fields, supersedes, parent_entry_id, root_entry_id, previous_hash, hash, version, salt, file_hashes)
                select e.entry_id, e.case_id, e.number, e.filing_id, e.entered_at, e.user_id, e.organization_id, e.phase_id, e.document_id,
                  e.party_id, e.title, e.fields, e.supersedes, e.parent_entry_id, e.root_entry_id, e.previous_hash, e.hash,
                  e.version, decode(e.salt, 'hex'), string_to_array(e.file_hashes, ' ')
                from unnest($1::bigint[], $2::uuid[], $3::bigint[], $4::bigint[], $5::timestamptz[], $6::uuid[], $7::uuid[],
                  $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::bigint[], $14::bigint[], $15::bigint[],
                  $16::text[], $17::text[], $18::bigint[], $19::text[], $20::text[])
                  as e (entry_id, case_id, number, filing_id, entered_at, user_id, organization_id, phase_id, document_id, party_id,
                  title, fields, supersedes, parent_entry_id, root_entry_id, previous_hash, hash, version, salt, file_hashes)
                """).execute(values(entries, heads)).mapEmpty();
    }

    private static Tuple values(List<DocketEntry> entries, List<DocketEntry> heads) {
        Tuple values = new Columns<>(entries)
                .numbers(entry -> entry.entryId().value()).ids(entry -> entry.caseId().value()).numbers(entry -> (long) entry.number())
                .numbers(entry -> entry.filingId().value()).times(DocketEntry::enteredAt).ids(entry -> entry.userId().value())
                .ids(entry -> entry.organizationId().map(OrganizationId::value).orElse(null)).texts(entry -> entry.phaseId().value())
                .texts(entry -> entry.documentTypeId().value()).texts(entry -> entry.partyId().value()).texts(DocketEntry::title)
                .texts(entry -> new JsonObject(entry.fields()).encode()).numbers(entry -> number(entry.supersedes()))
                .numbers(entry -> number(entry.parentEntryId())).numbers(entry -> number(entry.rootEntryId()))
                .texts(DocketEntry::previousHash).texts(DocketEntry::hash).numbers(entry -> (long) entry.form().version())
                .texts(DocketRepository::salt).texts(entry -> String.join(" ", entry.form().files())).tuple();
        Tuple ofHeads = new Columns<>(heads)
                .ids(entry -> entry.caseId().value()).numbers(entry -> (long) entry.number()).texts(DocketEntry::hash)
                .times(DocketEntry::enteredAt).tuple();
        for (int i = 0; i < ofHeads.size(); i++) {
            values.addValue(ofHeads.getValue(i));
        }
        return values;
    }

    /** The salt of the hash; null for an entry of version 1, which has none. */
    private static String salt(DocketEntry entry) {
        return switch (entry.form()) {
            case EntryForm.Version1 first -> null;
            case EntryForm.Version2 second -> second.salt();
        };
    }

    private static Long number(Optional<EntryId> entryId) {
        return entryId.map(EntryId::value).orElse(null);
    }

    /** An entry that a filing refers to, and the case of that entry. */
    public record FoundReference(CaseId caseId, EntryReference entry) {}

    /** The entries with these ids; unknown ids are left out. */
    public Future<List<FoundReference>> references(SqlClient client, Collection<EntryId> entryIds) {
        return query(client, """
                select e.entry_id, e.case_id, e.party_id, e.root_entry_id,
                       exists (select from mainapi.entries s where s.supersedes = e.entry_id) as superseded
                from mainapi.entries e where e.entry_id = any($1)
                """, Tuple.of(entryIds.stream().map(EntryId::value).toArray(Long[]::new)),
                row -> new FoundReference(new CaseId(row.getUUID("case_id")), new EntryReference(new EntryId(row.getLong("entry_id")),
                        new PartyId(row.getString("party_id")), entryId(row, "root_entry_id"), row.getBoolean("superseded"))));
    }

    /**
     * An entry, the one that superseded it, the files that were filed, and how it is sealed.
     *
     * @param withheld whether it is withheld from whoever asked
     */
    public record Viewed(DocketEntry entry, Optional<EntryId> supersededBy, List<FiledFile> files, Optional<Seal> seal, boolean withheld) {}

    /** The entry of that id, if it is of that case. */
    public Future<Optional<Viewed>> find(UUID caseId, long entryId, UUID userId) {
        return database.query("select " + ENTRY_COLUMNS + """
                , (select o.entry_id from mainapi.entries o where o.supersedes = e.entry_id) as superseded_by,
                """ + FiledFiles.column("e.filing_id") + """
                  as files,
                  s.visible_to, s.reason, s.sealed_by, s.sealed_at, s.entry_id is not null and mainapi.withheld(e.entry_id, $3) as withheld
                from mainapi.entries e left join mainapi.seals s on s.entry_id = e.entry_id
                where e.case_id = $1 and e.entry_id = $2
                """, Tuple.of(caseId, entryId, userId),
                row -> new Viewed(entry(row), entryId(row, "superseded_by"), FiledFiles.read(row.getString("files")), seal(row), row.getBoolean("withheld")))
                .map(Database::first);
    }

    private static Optional<Seal> seal(Row row) {
        return Optional.ofNullable(row.getArrayOfStrings("visible_to")).map(parties -> new Seal(
                new Seal.Terms(Stream.of(parties).map(PartyId::new).toList(), row.getString("reason")),
                new UserId(row.getUUID("sealed_by")), row.getOffsetDateTime("sealed_at").toInstant()));
    }

    /**
     * Links of the chain after one number up to another, in order: at most {@code limit}, and less than {@code bytesMax} bytes in total, but
     * at least one if there is one.
     */
    Future<List<ChainLink>> links(UUID caseId, int afterNumber, int lastNumber, int limit, int bytesMax) {
        return database.query("""
                with sized as (
                  select number, octet_length(fields) + octet_length(title) as bytes from mainapi.entries
                  where case_id = $1 and number > $2 and number <= $3 order by number limit $4),
                page as (select number, sum(bytes) over (order by number) - bytes as bytes_before from sized)
                select\s""" + ENTRY_COLUMNS + """
                from mainapi.entries e
                where e.case_id = $1 and e.number > $2 and e.number <= (select max(number) from page where bytes_before < $5)
                order by e.number
                """, Tuple.of(caseId, afterNumber, lastNumber, limit, (long) bytesMax), row -> new ChainLink(new EntryId(row.getLong("entry_id")),
                        row.getInteger("number"), row.getString("previous_hash"), row.getString("hash"), () -> readable(row)));
    }

    /** The entry of a row; empty if the row is so damaged that it cannot be read. */
    private static Optional<DocketEntry> readable(Row row) {
        try {
            return Optional.of(entry(row));
        } catch (DecodeException | IllegalArgumentException damaged) {
            return Optional.empty();
        }
    }

    /** An entry, with the other facts that its PDF shows. */
    public Future<Optional<PaperEntry>> paper(UUID caseId, long entryId, UUID userId) {
        return papers("e.case_id = $1 and e.entry_id = $4", Tuple.of(caseId, userId, Integer.MAX_VALUE, entryId))
                .map(entries -> entries.stream().findFirst());
    }

    /**
     * The same for the entries after one number up to another, in order.
     *
     * @param userId who reads them
     * @param known entries with a higher number are ignored, also if they supersede one of these
     */
    public Future<List<PaperEntry>> papersUpTo(UUID caseId, UUID userId, int afterNumber, int lastNumber, int known) {
        return papers("e.case_id = $1 and e.number > $4 and e.number <= $5 order by e.number",
                Tuple.of(caseId, userId, known, (long) afterNumber, lastNumber));
    }

    /**
     * @param which  a condition on {@code e}, which selects the entries
     * @param values the second is the reader, the third the highest number of an entry that may appear as superseding one of these
     */
    private Future<List<PaperEntry>> papers(String which, Tuple values) {
        return database.query("select " + ENTRY_COLUMNS + """
                ,\s""" + FiledFiles.column("e.filing_id") + """
                 as files, c.title as case_title, c.sandbox_now is not null as in_sandbox, s.entry_id as superseded_by, s.number as superseded_by_number,
                       o.number as supersedes_number, p.number as parent_number, mainapi.withheld(e.entry_id, $2) as withheld
                from mainapi.entries e
                join cases_api.cases c on c.case_id = e.case_id
                left join mainapi.entries s on s.supersedes = e.entry_id and s.number <= $3
                left join mainapi.entries o on o.entry_id = e.supersedes
                left join mainapi.entries p on p.entry_id = e.parent_entry_id
                where\s""" + which, values, DocketRepository::paperEntry);
    }

    private static PaperEntry paperEntry(Row row) {
        DocketEntry entry = entry(row);
        Optional<EntryId> supersededBy = entryId(row, "superseded_by");
        Map<EntryId, Integer> numbers = new HashMap<>();
        supersededBy.ifPresent(id -> numbers.put(id, row.getInteger("superseded_by_number")));
        entry.supersedes().ifPresent(id -> numbers.put(id, row.getInteger("supersedes_number")));
        entry.parentEntryId().ifPresent(id -> numbers.put(id, row.getInteger("parent_number")));
        return new PaperEntry(CaseClock.marked(row.getString("case_title"), row.getBoolean("in_sandbox")), entry, supersededBy, numbers, FiledFiles.read(row.getString("files")), row.getBoolean("withheld"));
    }

    /** The end of a docket as its head states it, and as the entries show it: in one statement, so that both are of the same time. */
    Future<ChainCheck.StatedEnd> statedEnd(UUID caseId) {
        return database.query("""
                select coalesce(h.last_number, 0) as last_number, coalesce(h.head_hash, $2) as head_hash,
                       (select e.entry_id from mainapi.entries e
                        where e.case_id = $1 and e.number > coalesce(h.last_number, 0) order by e.number limit 1) as first_behind
                from (select) always left join mainapi.heads h on h.case_id = $1
                """, Tuple.of(caseId, ContentHash.FIRST_PREVIOUS_HASH), row -> new ChainCheck.StatedEnd(row.getInteger("last_number"),
                        row.getString("head_hash"), entryId(row, "first_behind")))
                .map(List::getFirst);
    }

    private static DocketEntry entry(Row row) {
        return new DocketEntry(new EntryId(row.getLong("entry_id")), new CaseId(row.getUUID("case_id")), row.getInteger("number"),
                new FilingId(row.getLong("filing_id")), row.getOffsetDateTime("entered_at").toInstant(), new UserId(row.getUUID("user_id")),
                Optional.ofNullable(row.getUUID("organization_id")).map(OrganizationId::new), new PhaseId(row.getString("phase_id")),
                new DocumentTypeId(row.getString("document_id")), new PartyId(row.getString("party_id")), row.getString("title"),
                new JsonObject(row.getString("fields")).getMap(), entryId(row, "supersedes"), entryId(row, "parent_entry_id"),
                entryId(row, "root_entry_id"), form(row), row.getString("previous_hash"), row.getString("hash"));
    }

    private static EntryForm form(Row row) {
        return switch (row.getInteger("version")) {
            case 1 -> new EntryForm.Version1();
            case 2 -> new EntryForm.Version2(HexFormat.of().formatHex(row.getBuffer("salt").getBytes()), List.of(row.getArrayOfStrings("file_hashes")));
            default -> throw new IllegalArgumentException("version %d is not known".formatted(row.getInteger("version")));
        };
    }

    private static Optional<EntryId> entryId(Row row, String column) {
        return Optional.ofNullable(row.getLong(column)).map(EntryId::new);
    }
}
