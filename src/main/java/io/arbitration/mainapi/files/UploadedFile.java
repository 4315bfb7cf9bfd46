package io.arbitration.mainapi.files;

import io.arbitration.domain.cases.FileRule;
import io.arbitration.platform.files.FileName;
import io.arbitration.platform.files.FormFile;
import io.arbitration.platform.files.FormPart;
import io.arbitration.platform.objects.Fingerprint;
import io.arbitration.platform.objects.StagedObject;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import org.apache.tika.mime.MediaType;

/** A file that is being stored; its first block shows its type. */
public final class UploadedFile implements FormFile {

    private final Vertx vertx;
    private final StagedObject object;
    private final FormPart part;
    private final Checks checks;
    private final UnderWay underWay;
    private FileContent content;
    private Fingerprint fingerprint;
    private long bytes;
    private boolean isNarrowText;
    private boolean zeroBytes;

    /** The checks that may refuse the file before it is complete, by throwing or failing. */
    public interface Checks {

        /** The first block has arrived. */
        void begun(UploadedFile file);

        /**
         * Further blocks have arrived.
         *
         * @param ofFile bytes of the file including them
         * @param ofCaller bytes of all uploads of its user in progress on this node
         */
        Future<Void> grown(long ofFile, long ofCaller);

        /** The rule for files here; empty if it was not known when the file began. */
        Optional<FileRule> rule();
    }

    /** Its share of the uploads in progress; closed when nothing more is transferred. */
    interface UnderWay {

        /** Adds bytes; answers those of all uploads of the same user including them. */
        long add(long bytes);

        void close();
    }

    UploadedFile(Vertx vertx, StagedObject object, FormPart part, Checks checks, UnderWay underWay) {
        this.vertx = vertx;
        this.object = object;
        this.part = part;
        this.checks = checks;
        this.underWay = underWay;
    }

    @Override
    public Future<Void> write(List<byte[]> blocks) {
        long added = blocks.stream().mapToLong(block -> block.length).sum();
        bytes += added;
        long ofCaller = underWay.add(added);
        Future<Void> known = content != null ? Future.succeededFuture() : detectType(blocks.getFirst());
        return known.compose(looked -> checks.grown(bytes, ofCaller)).compose(allowed -> {
            blocks.forEach(this::watchForZeroBytes);
            return stored(object.write(blocks));
        });
    }

    private Future<Void> detectType(byte[] first) {
        Optional<MediaType> declared = FileTypeCheck.declared(declaredType());
        return FileContent.declaredPdf(first, declared).map(Future::succeededFuture)
                .orElseGet(() -> vertx.executeBlocking(() -> FileContent.of(first, fileName(), declared.isPresent()), false)).map(found -> {
            content = found;
            isNarrowText = !found.isWide() && FileTypeCheck.isText(found.type().toString());
            checks.begun(this);
            return null;
        });
    }

    /** The detector sees only the beginning: a file that begins as text may continue differently. */
    private void watchForZeroBytes(byte[] block) {
        if (isNarrowText && !zeroBytes) {
            for (byte b : block) {
                zeroBytes |= b == 0;
            }
        }
    }

    @Override
    public Future<String> end() {
        return stored(object.finish().map(taken -> {
            fingerprint = taken;
            return "%s %s %s".formatted(taken.sha256(), fileName(), declaredType().orElse(""));
        }));
    }

    @Override
    public Future<Void> abandon() {
        underWay.close();
        return object.abandon();
    }

    /** The row has taken over the object, or this is unknown; in that case the sweeper of the store checks it. */
    public Future<Void> release() {
        underWay.close();
        return object.release();
    }

    private static <T> Future<T> stored(Future<T> storing) {
        return storing.recover(failure -> Future.failedFuture(StoreFailures.refusal(failure)));
    }

    public StagedObject object() {
        return object;
    }

    public String fileName() {
        return FileName.clean(part.fileName().orElse(""));
    }

    public Optional<String> declaredType() {
        return part.contentType();
    }

    /** The rule for files here; empty if it was not known when the file began. */
    public Optional<FileRule> rule() {
        return checks.rule();
    }

    /** The type of the file; empty until the first byte has arrived. */
    public Optional<FileContent> content() {
        return Optional.ofNullable(content);
    }

    public boolean hasZeroBytes() {
        return zeroBytes;
    }

    /** Known when the file has ended. */
    public Fingerprint fingerprint() {
        return fingerprint;
    }
}
