package io.arbitration.mainapi.filings;

import static io.arbitration.platform.db.Database.query;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.FileId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.filing.FiledFile;
import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.objects.Fingerprint;
import io.arbitration.platform.objects.ObjectAddress;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The files of filings in the database; which a filing has is read with the filing. */
final class FileRepository {

    private final Database database;

    FileRepository(Database database) {
        this.database = database;
    }

    Future<FileId> nextId() {
        return database.query("select nextval('mainapi.file_id')", Tuple.tuple(), row -> new FileId(row.getLong(0))).map(List::getFirst);
    }

    /** Adds a file at a place that no other of the filing has. */
    Future<Void> insert(SqlConnection transaction, CaseId caseId, FilingId filingId, int position, FiledFile file, Fingerprint fingerprint, UserId by, Instant at) {
        return transaction.preparedQuery("""
                insert into mainapi.files (file_id, filing_id, case_id, position, title, file_name, content_type, bytes, sha256, block_hashes, pages,
                  address, user_id, created)
                values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
                """).execute(Tuple.tuple()
                        .addLong(file.fileId().value()).addLong(filingId.value()).addUUID(caseId.value()).addInteger(position).addString(file.title())
                        .addString(file.fileName()).addString(file.contentType()).addLong(file.bytes()).addString(file.sha256())
                        .addBuffer(fingerprint.blockHashes()).addInteger(file.pages().orElse(null)).addString(file.address()).addUUID(by.value())
                        .addOffsetDateTime(at.atOffset(ZoneOffset.UTC))).mapEmpty();
    }

    /** Writes titles and places as they are in this list. */
    Future<Void> arrange(SqlConnection transaction, List<FiledFile> files) {
        List<Integer> places = IntStream.range(0, files.size()).boxed().toList();
        return transaction.preparedQuery("""
                update mainapi.files f set position = a.position, title = a.title
                from unnest($1::bigint[], $2::bigint[], $3::text[]) as a (file_id, position, title)
                where f.file_id = a.file_id and (f.position, f.title) is distinct from (a.position, a.title)
                """).execute(new Columns<>(places).numbers(place -> files.get(place).fileId().value()).numbers(place -> place + 1L)
                        .texts(place -> files.get(place).title()).tuple()).mapEmpty();
    }

    /** Removes a file; gives the addresses that no row names any more. */
    Future<List<String>> remove(SqlConnection transaction, FileId fileId) {
        return query(transaction, "delete from mainapi.files where file_id = $1 returning address, original_address", Tuple.of(fileId.value()),
                row -> Optional.ofNullable(row.getString(1)).map(original -> List.of(row.getString(0), original)).orElseGet(() -> List.of(row.getString(0))))
                .map(rows -> rows.stream().flatMap(List::stream).toList());
    }

    /** A file in the object store and what proves it. */
    record Stored(String contentType, String fileName, ObjectAddress address, Fingerprint fingerprint) {}

    /**
     * Where a file of a filing is stored.
     *
     * @param original what a redaction replaced; empty for a file that was not redacted
     */
    Future<Optional<Stored>> stored(FilingId filingId, FileId fileId, boolean original) {
        String columns = original
                ? "original_content_type, original_file_name, original_address, original_bytes, original_sha256, original_block_hashes"
                : "content_type, file_name, address, bytes, sha256, block_hashes";
        return database.query("select " + columns + " from mainapi.files where file_id = $1 and filing_id = $2 and (not $3 or original_address is not null)",
                Tuple.of(fileId.value(), filingId.value(), original), row -> new Stored(row.getString(0), row.getString(1),
                        ObjectAddress.parse(row.getString(2)).orElseThrow(), new Fingerprint(row.getLong(3), row.getString(4), row.getBuffer(5))))
                .map(Database::first);
    }
}
