package io.arbitration.mainapi.filings;

import static io.arbitration.platform.db.Database.query;

import io.arbitration.domain.FileId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.evidence.UploadedTotals;
import io.arbitration.domain.filing.FiledFile;
import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.objects.Fingerprint;
import io.arbitration.platform.objects.ObjectAddress;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The table of files of filings. {@link FilingRepository} reads the files of a filing together with it. */
final class FileRepository {

    private final Database database;

    FileRepository(Database database) {
        this.database = database;
    }

    /** New ids. */
    Future<List<FileId>> nextIds(int count) {
        return database.query("select nextval('mainapi.file_id') from generate_series(1, $1)", Tuple.of(count), row -> new FileId(row.getLong(0)));
    }

    /** A file that is added. @param position among the files of its filing, from 1; no two have the same */
    record Added(UploadedTotals.Side side, FilingId filingId, int position, FiledFile file, Fingerprint fingerprint, UserId by, Instant at) {}

    /** Adds files with one statement. */
    Future<Void> insert(SqlConnection transaction, List<Added> files) {
        return transaction.preparedQuery("""
                insert into mainapi.files (file_id, filing_id, case_id, position, title, file_name, content_type, bytes, sha256, block_hashes, pages,
                  address, user_id, created)
                select file_id, filing_id, case_id, position, title, file_name, content_type, bytes, sha256, block_hashes, pages, address, user_id, created
                from unnest($1::bigint[], $2::bigint[], $3::uuid[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::text[], $10::bytea[],
                  $11::bigint[], $12::text[], $13::uuid[], $14::timestamptz[])
                  as f (file_id, filing_id, case_id, position, title, file_name, content_type, bytes, sha256, block_hashes, pages, address, user_id, created)
                """).execute(new Columns<>(files)
                        .numbers(one -> one.file.fileId().value()).numbers(one -> one.filingId.value()).ids(one -> one.side.caseId().value())
                        .numbers(one -> (long) one.position).texts(one -> one.file.title()).texts(one -> one.file.fileName())
                        .texts(one -> one.file.contentType()).numbers(one -> one.file.bytes()).texts(one -> one.file.sha256())
                        .bytes(one -> one.fingerprint.blockHashes()).numbers(one -> one.file.pages().map(Integer::longValue).orElse(null))
                        .texts(one -> one.file.address()).ids(one -> one.by.value()).times(Added::at).tuple()).mapEmpty();
    }

    /** Writes the titles of these files, and their positions in this list. */
    Future<Void> arrange(SqlConnection transaction, List<FiledFile> files) {
        List<Integer> places = IntStream.range(0, files.size()).boxed().toList();
        return transaction.preparedQuery("""
                update mainapi.files f set position = a.position, title = a.title
                from unnest($1::bigint[], $2::bigint[], $3::text[]) as a (file_id, position, title)
                where f.file_id = a.file_id and (f.position, f.title) is distinct from (a.position, a.title)
                """).execute(new Columns<>(places).numbers(place -> files.get(place).fileId().value()).numbers(place -> place + 1L)
                        .texts(place -> files.get(place).title()).tuple()).mapEmpty();
    }

    /** Removes a file; answers the addresses to which no row refers any more. */
    Future<List<String>> remove(SqlConnection transaction, FileId fileId) {
        return query(transaction, "delete from mainapi.files where file_id = $1 returning address, original_address", Tuple.of(fileId.value()),
                row -> Optional.ofNullable(row.getString(1)).map(original -> List.of(row.getString(0), original)).orElseGet(() -> List.of(row.getString(0))))
                .map(rows -> rows.stream().flatMap(List::stream).toList());
    }

    /** A file in the object store, and the fingerprint with which it is verified. */
    record Stored(String contentType, String fileName, ObjectAddress address, Fingerprint fingerprint) {}

    /**
     * Where a file of a filing is stored.
     *
     * @param original whether to find the file that a redaction replaced; then empty for a file that was not redacted
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
