package io.arbitration.mainapi.notice;

import io.arbitration.mainapi.files.Transfers;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.batching.SequentialWork;
import io.arbitration.platform.objects.Bucket;
import io.arbitration.platform.objects.ObjectFailure;
import io.arbitration.platform.objects.ObjectStores;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of notices in the object store. */
final class NoticeFiles {

    private static final String FOLDER = "notices";
    private static final int RETRY_SECONDS = 5;
    private static final Logger LOG = LoggerFactory.getLogger(NoticeFiles.class);

    private final ObjectStores objects;
    private final Bucket bucket;
    private final Transfers transfers;

    NoticeFiles(ObjectStores objects, Bucket bucket, Transfers transfers) {
        this.objects = objects;
        this.bucket = bucket;
        this.transfers = transfers;
    }

    /** A part of a notice and its address in the object store. */
    record Kept(NoticeMail.Part part, ObjectStores.Kept object) {

        NoticeFile file() {
            return new NoticeFile(part.kind(), part.fieldId(), part.name(), part.contentType(), part.width(), part.height(), object.fingerprint(),
                    object.object().address());
        }
    }

    /** Refuses if the disk has less space left than the node needs for its own work. */
    Future<Void> checkDisk() {
        return transfers.checkDisk();
    }

    /** Stores all parts; if one fails, the others are removed. */
    Future<List<Kept>> store(List<NoticeMail.Part> parts) {
        List<Kept> kept = new ArrayList<>();
        return SequentialWork.each(parts, part -> objects.keep(bucket, FOLDER, part.bytes()).map(object -> kept.add(new Kept(part, object)))).map(kept).recover(failed -> abandoned(kept).transform(gone -> Future.failedFuture(failed)));
    }

    private static Future<Void> abandoned(List<Kept> kept) {
        return Future.join(kept.stream().map(one -> one.object.object().abandon()).toList()).mapEmpty();
    }

    /**
     * Deletes the stored parts after the transaction, if the notice was not stored. If it is unknown whether the transaction was committed,
     * they stay, and the sweeper decides later by their rows.
     *
     * @param result the id of the stored notice; another one than this if the same request had served one before
     */
    static Future<UUID> settle(List<Kept> kept, UUID noticeId, AsyncResult<UUID> result) {
        boolean unused = result.succeeded() ? !result.result().equals(noticeId) : result.cause() instanceof Refusal;
        Future<Void> done = unused ? abandoned(kept) : Future.join(kept.stream().map(one -> one.object.object().release()).toList()).mapEmpty();
        return done.otherwiseEmpty().compose(left -> result.succeeded() ? Future.succeededFuture(result.result()) : Future.failedFuture(result.cause()));
    }

    /** Turns a failure of the object store into a refusal, and logs it; passes on any other failure. */
    static <T> Future<T> refused(Throwable failure) {
        if (!(failure instanceof ObjectFailure known)) {
            return Future.failedFuture(failure);
        }
        LOG.error("notices: {}", known.getMessage());
        return Future.failedFuture(switch (known.kind()) {
            case MISSING, ALTERED -> NoticeError.FILE_LOST.refusal();
            case UNAVAILABLE, BUSY -> NoticeError.STORE.refusal().retryAfter(RETRY_SECONDS);
        });
    }
}
