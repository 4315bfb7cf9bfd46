package io.arbitration.mainapi.evidence;

import io.arbitration.platform.files.FileName;
import io.arbitration.platform.files.FormFile;
import io.arbitration.platform.files.FormPart;
import io.arbitration.platform.objects.Fingerprint;
import io.arbitration.platform.objects.StagedObject;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.function.Consumer;

/** A file on its way into the object store; its first block tells what it is. */
final class EvidenceFile implements FormFile {

    private final Vertx vertx;
    private final StagedObject object;
    private final FormPart part;
    private final Consumer<EvidenceFile> early;
    private final Runnable ended;
    private Content content;
    private Fingerprint fingerprint;
    private boolean zeroBytes;

    /**
     * @param early looks at the file when its first block has come, and may refuse it
     * @param ended called once when nothing more is transferred
     */
    EvidenceFile(Vertx vertx, StagedObject object, FormPart part, Consumer<EvidenceFile> early, Runnable ended) {
        this.vertx = vertx;
        this.object = object;
        this.part = part;
        this.early = early;
        this.ended = ended;
    }

    @Override
    public Future<Void> take(byte[] block) {
        if (content != null) {
            watchForZeroBytes(block);
            return stored(object.write(block));
        }
        return vertx.executeBlocking(() -> Content.of(block, fileName()), false).compose(known -> {
            content = known;
            early.accept(this);
            watchForZeroBytes(block);
            return stored(object.write(block));
        });
    }

    /** A text may turn into something else behind the part that the detector sees. */
    private void watchForZeroBytes(byte[] block) {
        if (!zeroBytes && !content.isWide() && ContentRules.isText(content.type().toString())) {
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
        ended.run();
        return object.abandon();
    }

    /** The row has taken the object over, or nobody knows: then the sweeper finds out. */
    Future<Void> leave() {
        ended.run();
        return object.leave();
    }

    private static <T> Future<T> stored(Future<T> storing) {
        return storing.recover(failure -> Future.failedFuture(EvidenceStore.refusal(failure)));
    }

    StagedObject object() {
        return object;
    }

    String fileName() {
        return FileName.clean(part.fileName().orElse(""));
    }

    Optional<String> declaredType() {
        return part.contentType();
    }

    /** What the file is; empty as long as not one byte has come. */
    Optional<Content> content() {
        return Optional.ofNullable(content);
    }

    boolean hasZeroBytes() {
        return zeroBytes;
    }

    /** Known when the file has ended. */
    Fingerprint fingerprint() {
        return fingerprint;
    }
}
