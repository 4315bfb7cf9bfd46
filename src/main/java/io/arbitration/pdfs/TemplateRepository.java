package io.arbitration.pdfs;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The table {@code pdfs.templates}: the uploaded templates, one for each document ID. */
final class TemplateRepository {

    /** Notified with every upload. */
    static final String CHANNEL = "pdfs_templates";

    private final Database database;

    TemplateRepository(Database database) {
        this.database = database;
    }

    /** @param sha256 of its file */
    record Uploaded(String documentId, byte[] sha256) {}

    Future<List<Uploaded>> uploaded() {
        return database.query("select document_id, sha256 from pdfs.templates order by document_id", Tuple.tuple(),
                row -> new Uploaded(row.getString("document_id"), row.getBuffer("sha256").getBytes()));
    }

    Future<Optional<byte[]>> file(String documentId) {
        return database.query("select file from pdfs.templates where document_id = $1", Tuple.of(documentId), row -> row.getBuffer("file").getBytes())
                .map(Database::first);
    }

    /** Replaces the document's former template. */
    Future<Void> put(String documentId, byte[] file, byte[] sha256, UUID by, Instant at) {
        return database.query("""
                with stored as (
                  insert into pdfs.templates (document_id, file, sha256, uploaded_by, uploaded_at) values ($1, $2, $3, $4, $5)
                  on conflict (document_id) do update
                  set file = excluded.file, sha256 = excluded.sha256, uploaded_by = excluded.uploaded_by, uploaded_at = excluded.uploaded_at
                  returning document_id
                )
                select pg_notify('pdfs_templates', '') from stored
                """, Tuple.of(documentId, Buffer.buffer(file), Buffer.buffer(sha256), by, at.atOffset(ZoneOffset.UTC)), row -> row).mapEmpty();
    }
}
