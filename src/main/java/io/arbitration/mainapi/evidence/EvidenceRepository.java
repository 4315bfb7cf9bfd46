package io.arbitration.mainapi.evidence;

import static io.arbitration.platform.db.Database.query;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.objects.Fingerprint;
import io.arbitration.platform.objects.ObjectAddress;
import io.arbitration.platform.objects.PendingObjectRepository;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** Evidence in the database. Whoever reads it names the caller: what that one may not see is never read. */
final class EvidenceRepository {

    private static final String COLUMNS = """
            u.upload_id, u.case_id, u.party_id, u.exhibit, u.user_id, u.organization_id, u.phase_id, u.category_id,
            u.description, u.content_type, u.file_name, u.bytes, u.sha256, u.address, u.created
            """;
    /** $2 is the caller, $3 the phases in which everyone sees everything. */
    private static final String READABLE = """
            mainapi_api.upload_readers u on u.case_id = c.case_id and u.reader_id = $2 and (u.at_any_time or c.phase_id = any($3))
            """;

    private final Database database;
    private final AuditTrail audit;
    private final PendingObjectRepository pending;
    private final String[] sharedPhases;

    /** @param sharedPhases phases in which every participant sees all evidence */
    EvidenceRepository(Database database, AuditTrail audit, PendingObjectRepository pending, List<String> sharedPhases) {
        this.database = database;
        this.audit = audit;
        this.pending = pending;
        this.sharedPhases = sharedPhases.toArray(String[]::new);
    }

    /** The case and somebody's part in it; empty when there is no such case. */
    Future<Optional<Standing>> standing(UUID caseId, UUID userId) {
        return database.query("""
                select c.phase_id, c.status, p.party_id, p.organization_id, p.is_observer
                from cases_api.cases c left join cases_api.participants p on p.case_id = c.case_id and p.user_id = $2
                where c.case_id = $1
                """, Tuple.of(caseId, userId), EvidenceRepository::standing).map(rows -> rows.stream().findFirst());
    }

    /** The same, and the case stays as it is until the transaction ends. */
    private static Future<Optional<Standing>> standingLocked(SqlConnection transaction, UUID caseId, UUID userId) {
        return query(transaction, """
                select c.phase_id, c.status, p.party_id, p.organization_id, p.is_observer
                from cases_api.cases c left join cases_api.participants p on p.case_id = c.case_id and p.user_id = $2
                where c.case_id = $1
                for share of c
                """, Tuple.of(caseId, userId), EvidenceRepository::standing).map(rows -> rows.stream().findFirst());
    }

    private static Standing standing(Row row) {
        return new Standing(row.getString(0), "open".equals(row.getString(1)), row.getString(2), row.getUUID(3),
                Boolean.TRUE.equals(row.getBoolean(4)));
    }

    /** A file that is stored and accepted. */
    record Stored(String contentType, String fileName, Fingerprint fingerprint, ObjectAddress address) {}

    /**
     * Gives an upload its exhibit number and takes its object over, or does neither.
     *
     * @param admit refuses by throwing; sees the case as it stays until the upload is in it
     * @param checkNumber refuses an exhibit number by throwing
     */
    Future<Upload> add(NewUpload upload, Stored stored, Instant now, Consumer<Optional<Standing>> admit, Consumer<Integer> checkNumber) {
        return database.transaction(transaction -> standingLocked(transaction, upload.caseId(), upload.by().userId()).compose(found -> {
            admit.accept(found);
            Standing standing = found.orElseThrow();
            return nextExhibit(transaction, upload.caseId(), standing.partyId()).compose(exhibit -> {
                checkNumber.accept(exhibit);
                return insert(transaction, upload, stored, standing, exhibit, now);
            });
        }).compose(added -> pending.commit(transaction, stored.address())
                .compose(committed -> audit.append(transaction, List.of(line(added.caseId(), upload.by(), now, "evidence.uploaded", added.uploadId()))))
                .map(added)));
    }

    /** Locks the count of the party until the transaction ends: numbers have no gap and are never given twice. */
    private static Future<Integer> nextExhibit(SqlConnection transaction, UUID caseId, String partyId) {
        return query(transaction, """
                insert into mainapi.exhibits as e (case_id, party_id, last_number) values ($1, $2, 1)
                on conflict (case_id, party_id) do update set last_number = e.last_number + 1
                returning last_number
                """, Tuple.of(caseId, partyId), row -> row.getInteger(0)).map(List::getFirst);
    }

    private static Future<Upload> insert(SqlConnection transaction, NewUpload upload, Stored stored, Standing standing, int exhibit, Instant now) {
        return query(transaction, """
                insert into mainapi.uploads as u (upload_id, case_id, party_id, exhibit, user_id, organization_id, phase_id, category_id,
                  description, content_type, file_name, bytes, sha256, block_hashes, address, created)
                values (nextval('mainapi.upload_id'), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
                returning upload_id
                """, Tuple.tuple()
                        .addUUID(upload.caseId()).addString(standing.partyId()).addInteger(exhibit).addUUID(upload.by().userId())
                        .addUUID(standing.organizationId()).addString(standing.phaseId()).addString(upload.categoryId())
                        .addString(upload.description()).addString(stored.contentType()).addString(stored.fileName())
                        .addLong(stored.fingerprint().bytes()).addString(stored.fingerprint().sha256())
                        .addBuffer(stored.fingerprint().blockHashes()).addString(stored.address().toString())
                        .addOffsetDateTime(now.atOffset(ZoneOffset.UTC)),
                row -> new Upload(row.getLong(0), upload.caseId(), standing.partyId(), exhibit, upload.by().userId(), standing.organizationId(),
                        standing.phaseId(), upload.categoryId(), upload.description(), stored.contentType(), stored.fileName(),
                        stored.fingerprint().bytes(), stored.fingerprint().sha256(), stored.address(), now)).map(List::getFirst);
    }

    /** How evidence is read. */
    enum Read {
        LISTED("evidence.listed"), VIEWED("evidence.viewed"), DOWNLOADED("evidence.downloaded");

        private final String action;

        Read(String action) {
            this.action = action;
        }
    }

    /** Writes into the audit trail that evidence was read, before the reader gets it; without an upload, all that it sees. */
    Future<Void> record(UUID caseId, By by, Instant now, Read read, Long uploadId) {
        return database.read(client -> audit.append(client, List.of(line(caseId, by, now, read.action, uploadId))));
    }

    /** What somebody sees of a case's evidence; empty when there is no such case. */
    Future<Optional<List<Upload>>> visible(UUID caseId, UUID userId) {
        return database.query("select " + COLUMNS + """
                from cases_api.cases c
                left join
                """ + READABLE + """
                where c.case_id = $1
                order by u.upload_id
                """, Tuple.of(caseId, userId, sharedPhases), row -> Optional.ofNullable(row.getLong(0)).map(id -> upload(row)))
                .map(rows -> rows.isEmpty() ? Optional.empty() : Optional.of(rows.stream().flatMap(Optional::stream).toList()));
    }

    /**
     * What somebody finds of one upload.
     *
     * @param participant whether the caller has a part in the case
     * @param upload empty when there is none that the caller may see
     */
    record Found(boolean participant, Optional<Upload> upload, Fingerprint fingerprint) {}

    /** Empty when there is no such case. */
    Future<Optional<Found>> find(UUID caseId, long uploadId, UUID userId) {
        return database.query("select " + COLUMNS + """
                , u.block_hashes, p.user_id as participant
                from cases_api.cases c
                left join cases_api.participants p on p.case_id = c.case_id and p.user_id = $2
                left join
                """ + READABLE + """
                and u.upload_id = $4
                where c.case_id = $1
                """, Tuple.of(caseId, userId, sharedPhases, uploadId), EvidenceRepository::found).map(rows -> rows.stream().findFirst());
    }

    private static Found found(Row row) {
        boolean participant = row.getUUID("participant") != null;
        return row.getLong(0) == null
                ? new Found(participant, Optional.empty(), null)
                : new Found(participant, Optional.of(upload(row)),
                        new Fingerprint(row.getLong("bytes"), row.getString("sha256"), row.getBuffer("block_hashes")));
    }

    private static Upload upload(Row row) {
        return new Upload(row.getLong("upload_id"), row.getUUID("case_id"), row.getString("party_id"), row.getInteger("exhibit"),
                row.getUUID("user_id"), row.getUUID("organization_id"), row.getString("phase_id"), row.getString("category_id"),
                row.getString("description"), row.getString("content_type"), row.getString("file_name"), row.getLong("bytes"),
                row.getString("sha256"), ObjectAddress.parse(row.getString("address")).orElseThrow(),
                row.getOffsetDateTime("created").toInstant());
    }

    private static AuditTrail.Line line(UUID caseId, By by, Instant now, String action, Long uploadId) {
        return new AuditTrail.Line(caseId, now, by.userId(), action, Objects.toString(uploadId, null), by.requestId(), by.address());
    }
}
