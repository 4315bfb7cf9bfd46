package io.arbitration.pdfs;

import io.arbitration.domain.hash.Sha256;
import io.arbitration.platform.files.FormFile;
import io.arbitration.platform.limits.Bulkhead;
import io.vertx.core.Future;
import java.io.ByteArrayOutputStream;
import java.util.List;

/** A template that is being uploaded, held in memory: the form bounds its length. */
final class TemplateFile implements FormFile {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Bulkhead.Permit permit;

    /** @param permit closed when the file is no longer held */
    TemplateFile(Bulkhead.Permit permit) {
        this.permit = permit;
    }

    @Override
    public Future<Void> write(List<byte[]> blocks) {
        blocks.forEach(bytes::writeBytes);
        return Future.succeededFuture();
    }

    @Override
    public Future<String> end() {
        return Future.succeededFuture(Sha256.hex(bytes.toByteArray()));
    }

    @Override
    public Future<Void> abandon() {
        release();
        return Future.succeededFuture();
    }

    byte[] content() {
        return bytes.toByteArray();
    }

    void release() {
        permit.close();
    }
}
