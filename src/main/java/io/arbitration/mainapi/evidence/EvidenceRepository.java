package io.arbitration.mainapi.evidence;

import static io.arbitration.platform.db.Database.query;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.CaseParticipation;
import io.arbitration.domain.cases.Participant;
import io.arbitration.domain.evidence.ExhibitNumber;
import io.arbitration.domain.evidence.UploadedBytes;
import io.arbitration.domain.time.CaseClock;
import io.arbitration.mainapi.ParticipantRow;
import io.arbitration.mainapi.files.StoredBytesRepository;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.objects.Fingerprint;
import io.arbitration.platform.objects.ObjectAddress;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All SQL of evidence. Every read has the reader as a parameter, and rows that the reader may not see are never read. */
public final class EvidenceRepository {

    private static final String COLUMNS = """
            u.upload_id, u.case_id, u.party_id, u.exhibit, u.user_id, u.organization_id, u.phase_id, u.category_id,
            u.description, u.content_type, u.file_name, u.bytes, u.sha256, u.address, u.created
            """;
    /** $2 is the reader, $3 the phases in which all participants see all evidence. */
    private static final String READABLE = """
            mainapi_api.upload_readers u on u.case_id = c.case_id and u.reader_id = $2 and (u.at_any_time or c.phase_id = any($3))
            """;

    private final Database database;
    private final StoredBytesRepository storedBytes = new StoredBytesRepository();
    private final String[] sharedPhases;

    /** @param sharedPhases phases in which every participant sees all evidence */
    public EvidenceRepository(Database database, List<PhaseId> sharedPhases) {
        this.database = database;
        this.sharedPhases = sharedPhases.stream().map(PhaseId::value).toArray(String[]::new);
    }

    /** A stored and accepted file. */
    record Stored(String contentType, String fileName, Fingerprint fingerprint, ObjectAddress address) {}

    /** The properties of a new upload: case, number, uploader and file. */
    record Added(CaseId caseId, ExhibitNumber exhibit, Participant uploader, PhaseId phaseId, String categoryId, String description,
            Stored stored, Instant created) {}

    /** An upload with the fingerprint of its file. */
    record Proved(Upload upload, Fingerprint fingerprint) {}

    /**
     * The result of a lookup of one upload for a reader.
     *
     * @param isParticipant whether the reader is a participant of the case
     * @param upload empty if the reader may see none with this ID
     */
    record Found(boolean isParticipant, Optional<Proved> upload) {}

    /** Locks the case until the transaction ends, and answers its clock; empty if there is no such case. */
    Future<Optional<CaseClock>> lockCase(SqlConnection transaction, CaseId caseId) {
        return query(transaction, "select sandbox_now from cases_api.cases where case_id = $1 for share", Tuple.of(caseId.value()),
                row -> new CaseClock(Optional.ofNullable(row.getOffsetDateTime(0)).map(OffsetDateTime::toInstant))).map(Database::first);
    }

    /** The state of the case and a user's participation in it; empty if there is no such case. */
    Future<Optional<CaseParticipation>> participation(CaseId caseId, UserId userId) {
        return database.read(client -> participation(client, caseId, userId));
    }

    Future<Optional<CaseParticipation>> participation(SqlClient client, CaseId caseId, UserId userId) {
        return query(client, """
                select c.phase_id, c.status, %s
                from cases_api.cases c left join cases_api.participants p on p.case_id = c.case_id and p.user_id = $2
                where c.case_id = $1
                """.formatted(ParticipantRow.COLUMNS), Tuple.of(caseId.value(), userId.value()), row -> new CaseParticipation(
                        new PhaseId(row.getString("phase_id")), "open".equals(row.getString("status")),
                        ParticipantRow.of(row, userId)))
                .map(Database::first);
    }

    Future<UploadedBytes> uploadedBytes(CaseId caseId, UserId userId) {
        return database.read(client -> uploadedBytes(client, caseId, userId));
    }

    Future<UploadedBytes> uploadedBytes(SqlClient client, CaseId caseId, UserId userId) {
        return storedBytes.uploadedBytes(client, caseId, userId);
    }

    /** Locks the counter of the party until the transaction ends, so that numbers have no gap and are unique. */
    Future<ExhibitNumber> nextExhibit(SqlConnection transaction, CaseId caseId, PartyId partyId) {
        return query(transaction, """
                insert into mainapi.exhibits as e (case_id, party_id, last_number) values ($1, $2, 1)
                on conflict (case_id, party_id) do update set last_number = e.last_number + 1
                returning last_number
                """, Tuple.of(caseId.value(), partyId.value()), row -> new ExhibitNumber(partyId, row.getInteger(0))).map(List::getFirst);
    }

    Future<Upload> insert(SqlConnection transaction, Added added) {
        Stored stored = added.stored();
        Participant uploader = added.uploader();
        return query(transaction, """
                insert into mainapi.uploads as u (upload_id, case_id, party_id, exhibit, user_id, organization_id, phase_id, category_id,
                  description, content_type, file_name, bytes, sha256, block_hashes, address, created)
                values (nextval('mainapi.upload_id'), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
                returning upload_id
                """, Tuple.tuple()
                        .addUUID(added.caseId().value()).addString(added.exhibit().partyId().value()).addInteger(added.exhibit().inParty())
                        .addUUID(uploader.userId().value()).addUUID(uploader.organizationId().map(OrganizationId::value).orElse(null))
                        .addString(added.phaseId().value()).addString(added.categoryId()).addString(added.description())
                        .addString(stored.contentType()).addString(stored.fileName())
                        .addLong(stored.fingerprint().bytes()).addString(stored.fingerprint().sha256())
                        .addBuffer(stored.fingerprint().blockHashes()).addString(stored.address().toString())
                        .addOffsetDateTime(added.created().atOffset(ZoneOffset.UTC)),
                row -> new Upload(row.getLong(0), added.caseId(), added.exhibit(), uploader.userId(), uploader.organizationId(),
                        added.phaseId(), added.categoryId(), added.description(), stored.contentType(), stored.fileName(),
                        stored.fingerprint().bytes(), stored.fingerprint().sha256(), stored.address(), added.created()))
                .map(List::getFirst);
    }

    /** The evidence of a case that a user may see, after an upload, in the order of upload; empty if there is no such case. */
    Future<Optional<List<Upload>>> visible(CaseId caseId, UserId reader, long afterUploadId, int limit) {
        return database.query("select " + COLUMNS + """
                from cases_api.cases c
                left join
                """ + READABLE + """
                and u.upload_id > $4
                where c.case_id = $1
                order by u.upload_id
                limit $5
                """, Tuple.of(caseId.value(), reader.value(), sharedPhases, afterUploadId, limit),
                row -> Optional.ofNullable(row.getLong(0)).map(id -> upload(row)))
                .map(rows -> rows.isEmpty() ? Optional.empty() : Optional.of(rows.stream().flatMap(Optional::stream).toList()));
    }

    /** Empty if there is no such case. */
    Future<Optional<Found>> find(CaseId caseId, long uploadId, UserId reader) {
        return database.query("select " + COLUMNS + """
                , u.block_hashes, p.user_id as participant
                from cases_api.cases c
                left join cases_api.participants p on p.case_id = c.case_id and p.user_id = $2
                left join
                """ + READABLE + """
                and u.upload_id = $4
                where c.case_id = $1
                """, Tuple.of(caseId.value(), reader.value(), sharedPhases, uploadId), row -> new Found(
                        row.getUUID("participant") != null,
                        Optional.ofNullable(row.getLong("upload_id")).map(id -> proved(row))))
                .map(Database::first);
    }

    /**
     * Exhibits of a case in the order of party and number, after a given one.
     *
     * @param lastByParty the number of each party's last exhibit that is read
     * @param after the last one of the previous page; empty: from the first
     */
    Future<List<Upload>> exhibits(CaseId caseId, Map<PartyId, Integer> lastByParty, Optional<ExhibitNumber> after, int limit) {
        return database.query("select " + COLUMNS + EXHIBITS, exhibitsOf(caseId, lastByParty, after, limit), EvidenceRepository::upload);
    }

    /** The same with the fingerprints of the files, 32 bytes for every 256 KiB of a file. */
    Future<List<Proved>> provedExhibits(CaseId caseId, Map<PartyId, Integer> lastByParty, Optional<ExhibitNumber> after, int limit) {
        return database.query("select " + COLUMNS + ", u.block_hashes" + EXHIBITS, exhibitsOf(caseId, lastByParty, after, limit),
                EvidenceRepository::proved);
    }

    private static final String EXHIBITS = """

            from mainapi.uploads u
            join unnest($2::text[], $3::int[]) as l (party_id, last_number) on l.party_id = u.party_id and u.exhibit <= l.last_number
            where u.case_id = $1 and (u.party_id, u.exhibit) > ($4::text, $5::int)
            order by u.party_id, u.exhibit limit $6
            """;

    private static Tuple exhibitsOf(CaseId caseId, Map<PartyId, Integer> lastByParty, Optional<ExhibitNumber> after, int limit) {
        List<PartyId> parties = List.copyOf(lastByParty.keySet());
        return Tuple.of(caseId.value(), parties.stream().map(PartyId::value).toArray(String[]::new),
                parties.stream().map(lastByParty::get).toArray(Integer[]::new),
                after.map(exhibit -> exhibit.partyId().value()).orElse(""), after.map(ExhibitNumber::inParty).orElse(0), limit);
    }

    private static Proved proved(Row row) {
        return new Proved(upload(row), new Fingerprint(row.getLong("bytes"), row.getString("sha256"), row.getBuffer("block_hashes")));
    }

    private static Upload upload(Row row) {
        return new Upload(row.getLong("upload_id"), new CaseId(row.getUUID("case_id")),
                new ExhibitNumber(new PartyId(row.getString("party_id")), row.getInteger("exhibit")), new UserId(row.getUUID("user_id")),
                Optional.ofNullable(row.getUUID("organization_id")).map(OrganizationId::new), new PhaseId(row.getString("phase_id")),
                row.getString("category_id"), row.getString("description"), row.getString("content_type"), row.getString("file_name"),
                row.getLong("bytes"), row.getString("sha256"), ObjectAddress.parse(row.getString("address")).orElseThrow(),
                row.getOffsetDateTime("created").toInstant());
    }
}
