package io.arbitration.pdfs;

import io.arbitration.platform.files.FormFile;
import io.vertx.core.Future;
import java.io.ByteArrayOutputStream;
import java.util.HexFormat;

/** A template on its way in; the bound of the form keeps it small enough to be held. */
final class TemplateFile implements FormFile {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Runnable ended;
    private boolean over;

    /** @param ended called once, when the file is no longer held */
    TemplateFile(Runnable ended) {
        this.ended = ended;
    }

    @Override
    public Future<Void> take(byte[] block) {
        bytes.writeBytes(block);
        return Future.succeededFuture();
    }

    @Override
    public Future<String> end() {
        return Future.succeededFuture(HexFormat.of().formatHex(Hashes.sha256().digest(bytes.toByteArray())));
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
        if (!over) {
            over = true;
            ended.run();
        }
    }
}
