package io.arbitration.mainapi.export;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.FileId;
import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.CaseParticipation;
import io.arbitration.domain.docket.EntryVisibility;
import io.arbitration.domain.filing.FiledFile;
import io.arbitration.domain.hash.ContentHash;
import io.arbitration.mainapi.ParticipantRow;
import io.arbitration.mainapi.files.FiledFiles;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The statements of an export, except for the contents of entries and exhibits. */
final class ExportRepository {

    private final Database database;

    ExportRepository(Database database) {
        this.database = database;
    }

    /**
     * The case as it is now, for this caller; empty if there is none. Read by one statement, so that all parts have the same
     * snapshot.
     */
    Future<Optional<Snapshot>> snapshot(CaseId caseId, UserId userId) {
        return database.query("""
                select c.revision, c.phase_id, c.status, %s,
                       coalesce(h.last_number, 0) as last_number, coalesce(h.head_hash, $3) as head_hash,
                       (select count(*) from mainapi.files x join mainapi.filings f on f.filing_id = x.filing_id
                        where x.case_id = c.case_id and f.state = 'docketed') as files,
                       array(select party_id from mainapi.exhibits x where x.case_id = c.case_id order by party_id) as exhibit_parties,
                       array(select last_number from mainapi.exhibits x where x.case_id = c.case_id order by party_id) as exhibit_numbers,
                       pg_current_snapshot()::text as of_database
                from cases_api.cases c
                left join cases_api.participants p on p.case_id = c.case_id and p.user_id = $2
                left join mainapi.heads h on h.case_id = c.case_id
                where c.case_id = $1
                """.formatted(ParticipantRow.COLUMNS), Tuple.of(caseId.value(), userId.value(), ContentHash.FIRST_PREVIOUS_HASH), row -> snapshot(row, userId))
                .map(Database::first);
    }

    private static Snapshot snapshot(Row row, UserId userId) {
        String[] parties = row.getArrayOfStrings("exhibit_parties");
        Integer[] numbers = row.getArrayOfIntegers("exhibit_numbers");
        Map<PartyId, Integer> last = new HashMap<>();
        for (int i = 0; i < parties.length; i++) {
            last.put(new PartyId(parties[i]), numbers[i]);
        }
        return new Snapshot(row.getLong("revision"),
                new CaseParticipation(new PhaseId(row.getString("phase_id")), "open".equals(row.getString("status")), ParticipantRow.of(row, userId)),
                row.getInteger("last_number"), row.getString("head_hash"), row.getLong("files"), Map.copyOf(last), row.getString("of_database"));
    }

    /** Whether a user is still a participant of a case for that party. */
    Future<Boolean> takesPart(CaseId caseId, UserId userId, PartyId partyId) {
        return database.query("""
                select from cases_api.participants where case_id = $1 and user_id = $2 and party_id = $3
                """, Tuple.of(caseId.value(), userId.value(), partyId.value()), row -> row).map(rows -> !rows.isEmpty());
    }

    /**
     * A line of the docket's index.
     *
     * @param withheld whether the entry is sealed and withheld from the reader of the export
     */
    record IndexLine(
            int number, long entryId, Instant enteredAt, UserId userId, Optional<OrganizationId> organizationId, PhaseId phaseId,
            DocumentTypeId documentId, PartyId partyId, long filingId, String title, Optional<Long> supersedes, Optional<Long> supersededBy,
            String hash, boolean withheld, List<FiledFile> files, Set<FileId> redacted) {}

    /**
     * The lines after a number and up to another, in order, at most this many. Entries after the snapshot do not count as
     * superseding.
     */
    Future<List<IndexLine>> index(CaseId caseId, UserId reader, int afterNumber, int lastNumber, int limit) {
        return database.query("""
                select e.number, e.entry_id, e.entered_at, e.user_id, e.organization_id, e.phase_id, e.document_id, e.party_id, e.filing_id,
                       e.title, e.supersedes, s.entry_id as superseded_by, e.hash, mainapi.withheld(e.entry_id, $5) as withheld,
                """ + FiledFiles.column("e.filing_id") + """
                  as files,
                  (select array_agg(x.file_id) from mainapi.files x where x.filing_id = e.filing_id and x.original_address is not null) as redacted
                from mainapi.entries e left join mainapi.entries s on s.supersedes = e.entry_id and s.number <= $3
                where e.case_id = $1 and e.number > $2 and e.number <= $3
                order by e.number limit $4
                """, Tuple.of(caseId.value(), afterNumber, lastNumber, limit, reader.value()), row -> new IndexLine(
                        row.getInteger("number"), row.getLong("entry_id"), row.getOffsetDateTime("entered_at").toInstant(),
                        new UserId(row.getUUID("user_id")), Optional.ofNullable(row.getUUID("organization_id")).map(OrganizationId::new),
                        new PhaseId(row.getString("phase_id")), new DocumentTypeId(row.getString("document_id")),
                        new PartyId(row.getString("party_id")), row.getLong("filing_id"),
                        row.getBoolean("withheld") ? EntryVisibility.WITHHELD_TITLE : row.getString("title"),
                        Optional.ofNullable(row.getLong("supersedes")), Optional.ofNullable(row.getLong("superseded_by")),
                        row.getString("hash"), row.getBoolean("withheld"), FiledFiles.read(row.getString("files")), redacted(row.getArrayOfLongs("redacted"))));
    }

    private static Set<FileId> redacted(Long[] fileIds) {
        return fileIds == null ? Set.of() : Stream.of(fileIds).map(FileId::new).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * The number of the last entry of the page after {@code afterNumber}, so that the texts of the page are bounded in bytes; a
     * single entry may have more. PostgreSQL knows these lengths without reading the texts.
     */
    Future<Integer> lastWithin(CaseId caseId, int afterNumber, int lastNumber, int limit, long bytesMax) {
        return database.query("""
                select max(number) from (
                  select number, sum(octet_length(fields) + octet_length(title)) over (order by number) as bytes
                  from (select number, fields, title from mainapi.entries
                        where case_id = $1 and number > $2 and number <= $3 order by number limit $4) page) sums
                where bytes <= $5 or number = $2 + 1
                """, Tuple.of(caseId.value(), afterNumber, lastNumber, limit, bytesMax),
                row -> Optional.ofNullable(row.getInteger(0)).orElse(lastNumber)).map(List::getFirst);
    }

    /** When the filings of these entries were submitted, by their ids. */
    Future<Map<Long, Instant>> submittedAt(List<Long> filingIds) {
        return database.query("select filing_id, submitted_at from mainapi.filings where filing_id = any($1)",
                        Tuple.of(filingIds.toArray(Long[]::new)), row -> Map.entry(row.getLong(0), row.getOffsetDateTime(1).toInstant()))
                .map(rows -> rows.stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    /** The public data of a user. */
    record Person(UserId userId, String firstName, String lastName) {}

    /** The users who are participants of the case or have filed in it. */
    Future<List<Person>> people(CaseId caseId, int lastNumber) {
        return database.query("""
                select u.user_id, u.first_name, u.last_name from identity_api.public_users u
                where u.user_id in (select user_id from cases_api.participants where case_id = $1
                                    union select user_id from mainapi.entries where case_id = $1 and number <= $2)
                order by u.user_id
                """, Tuple.of(caseId.value(), lastNumber), row -> new Person(new UserId(row.getUUID(0)), row.getString(1), row.getString(2)));
    }

    /** The public data of an organization. */
    record Organization(OrganizationId organizationId, String name) {}

    /** The organizations for which these users participate or have filed. */
    Future<List<Organization>> organizations(CaseId caseId, int lastNumber) {
        return database.query("""
                select o.organization_id, o.name from identity_api.public_organizations o
                where o.organization_id in (select organization_id from cases_api.participants where case_id = $1
                                            union select organization_id from mainapi.entries where case_id = $1 and number <= $2)
                order by o.organization_id
                """, Tuple.of(caseId.value(), lastNumber), row -> new Organization(new OrganizationId(row.getUUID(0)), row.getString(1)));
    }
}
