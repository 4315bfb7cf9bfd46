package io.arbitration.mainapi.filings;

import static io.arbitration.platform.db.Database.query;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.FileId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.docket.SealRules;
import io.arbitration.domain.filing.FiledFile;
import io.arbitration.domain.time.CaseClock;
import io.arbitration.mainapi.ParticipantRow;
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
import java.util.Optional;
import java.util.OptionalLong;

/** Files of docket entries, and their replacement by redacted ones. */
final class RedactionRepository {

    private final Database database;

    RedactionRepository(Database database) {
        this.database = database;
    }

    /** A file of an entry that is to be redacted. */
    record Target(CaseId caseId, EntryId entryId, FileId fileId) {}

    /**
     * A file as it is shown now.
     *
     * @param original the file as it was filed
     * @param redacted whether it is a redacted file itself; then its bytes are not needed any more
     */
    record Shown(FilingId filingId, UserId userId, String title, String address, Original original, boolean redacted) {}

    /** A file as it was filed. */
    record Original(String contentType, ObjectAddress address, Fingerprint fingerprint) {}

    /** The facts that decide whether a user may redact; without a file if the entry has none of that id. */
    record Found(SealRules.Subject subject, CaseClock clock, Optional<Shown> file) {}

    /** Empty if there is no such case. */
    Future<Optional<Found>> find(Target target, UserId userId) {
        return database.read(client -> find(client, "", target, userId));
    }

    /** The same, and locks the case and the file until the transaction ends. */
    Future<Optional<Found>> findLocked(SqlConnection transaction, Target target, UserId userId) {
        return query(transaction, "select from mainapi.files where file_id = $1 for update", Tuple.of(target.fileId.value()), row -> row)
                .compose(locked -> find(transaction, "for share of c", target, userId));
    }

    private static Future<Optional<Found>> find(SqlClient client, String lock, Target target, UserId userId) {
        return query(client, """
                select %s, e.entry_id is not null as found,
                       f.filing_id, f.user_id, f.title, f.address, coalesce(f.original_content_type, f.content_type) as original_content_type,
                       coalesce(f.original_address, f.address) as original_address, coalesce(f.original_bytes, f.bytes) as original_bytes,
                       coalesce(f.original_sha256, f.sha256) as original_sha256, coalesce(f.original_block_hashes, f.block_hashes) as original_block_hashes,
                       f.original_address is not null as redacted, c.sandbox_now
                from cases_api.cases c
                left join cases_api.participants p on p.case_id = c.case_id and p.user_id = $2
                left join mainapi.entries e on e.case_id = c.case_id and e.entry_id = $3
                left join mainapi.files f on f.filing_id = e.filing_id and f.file_id = $4
                where c.case_id = $1
                """.formatted(ParticipantRow.COLUMNS) + lock, Tuple.of(target.caseId.value(), userId.value(), target.entryId.value(), target.fileId.value()),
                row -> new Found(new SealRules.Subject(ParticipantRow.of(row, userId), row.getBoolean("found"), false),
                        new CaseClock(Optional.ofNullable(row.getOffsetDateTime("sandbox_now")).map(OffsetDateTime::toInstant)), shown(row)))
                .map(Database::first);
    }

    private static Optional<Shown> shown(Row row) {
        return Optional.ofNullable(row.getLong("filing_id")).map(filing -> new Shown(new FilingId(filing), new UserId(row.getUUID("user_id")), row.getString("title"),
                row.getString("address"), new Original(row.getString("original_content_type"), ObjectAddress.parse(row.getString("original_address")).orElseThrow(),
                        new Fingerprint(row.getLong("original_bytes"), row.getString("original_sha256"), row.getBuffer("original_block_hashes"))), row.getBoolean("redacted")));
    }

    /** Replaces a file by a redacted one, and keeps the original. */
    Future<Void> replace(SqlConnection transaction, FiledFile redacted, Fingerprint fingerprint) {
        return transaction.preparedQuery("""
                update mainapi.files set
                  original_file_name = coalesce(original_file_name, file_name), original_content_type = coalesce(original_content_type, content_type),
                  original_bytes = coalesce(original_bytes, bytes), original_sha256 = coalesce(original_sha256, sha256),
                  original_block_hashes = coalesce(original_block_hashes, block_hashes),
                  original_pages = case when original_address is null then pages else original_pages end,
                  original_address = coalesce(original_address, address),
                  file_name = $2, content_type = $3, bytes = $4, sha256 = $5, block_hashes = $6, pages = $7, address = $8
                where file_id = $1
                """).execute(Tuple.tuple().addLong(redacted.fileId().value()).addString(redacted.fileName()).addString(redacted.contentType())
                        .addLong(redacted.bytes()).addString(redacted.sha256()).addBuffer(fingerprint.blockHashes())
                        .addInteger(redacted.pages().orElse(null)).addString(redacted.address())).mapEmpty();
    }

    /**
     * Increases the revision of a filing.
     *
     * @param expected the revision that it must have; empty: any
     * @return the new revision; empty if it had another one than expected
     */
    Future<Optional<Long>> grow(SqlConnection transaction, FilingId filingId, OptionalLong expected) {
        return query(transaction, """
                update mainapi.filings set revision = revision + 1
                where filing_id = $1 and revision = coalesce($2, revision) returning revision
                """, Tuple.of(filingId.value(), expected.isPresent() ? expected.getAsLong() : null), row -> row.getLong("revision"))
                .map(revisions -> revisions.stream().findFirst());
    }

    /** Records who replaced which file, when and why. */
    Future<Void> recordRedaction(SqlConnection transaction, Target target, String reason, Shown before, String redactedSha256, UserId by, Instant at) {
        return transaction.preparedQuery("""
                insert into mainapi.redactions (file_id, entry_id, redacted_at, redacted_by, reason, original_sha256, redacted_sha256)
                values ($1, $2, $3, $4, $5, $6, $7)
                """).execute(Tuple.tuple().addLong(target.fileId.value()).addLong(target.entryId.value()).addOffsetDateTime(at.atOffset(ZoneOffset.UTC))
                        .addUUID(by.value()).addString(reason).addString(before.original.fingerprint().sha256()).addString(redactedSha256)).mapEmpty();
    }
}
