package io.arbitration.mainapi.files;

import io.arbitration.domain.UserId;
import io.arbitration.domain.evidence.UploadRefusal;
import io.arbitration.domain.evidence.UploadRules;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Files that precede the fields of their form. The fields are checked only at the end of the form, so until then such a file is
 * bounded by what is known of its uploader: nothing is staged for a user who is a participant of no open case, and no more than
 * that user may still upload.
 */
public final class UnplacedFiles {

    private final Database database;
    private final StoredBytesRepository stored = new StoredBytesRepository();
    private final UploadRules rules;
    private final Transfers transfers;

    public UnplacedFiles(Database database, UploadRules rules, Transfers transfers) {
        this.database = database;
        this.rules = rules;
        this.transfers = transfers;
    }

    /**
     * The checks that may refuse such a file before it is complete.
     *
     * @param notTakingPart the refusal of a user who is a participant of no open case
     * @param refusal the refusal for a quota of the user
     */
    public Future<UploadedFile.Checks> checks(UUID callerId, Supplier<? extends RuntimeException> notTakingPart,
            Function<UploadRefusal, ? extends RuntimeException> refusal) {
        return stored(callerId, notTakingPart).map(before -> transfers.checks(Optional.empty(), file -> { },
                (ofFile, ofCaller) -> refuse(rules.refusesOfUser(before + ofCaller), refusal)));
    }

    /**
     * The same for a file that will count only for its case: all uploads of this kind that a user has in progress are together
     * bounded by what a case may contain.
     */
    public Future<UploadedFile.Checks> checksOfCase(UUID callerId, Supplier<? extends RuntimeException> notTakingPart,
            Function<UploadRefusal, ? extends RuntimeException> refusal) {
        return stored(callerId, notTakingPart).map(before -> transfers.checks(Optional.empty(), file -> { },
                (ofFile, ofCaller) -> refuse(rules.refusesOfCase(ofCaller), refusal)));
    }

    private Future<Long> stored(UUID callerId, Supplier<? extends RuntimeException> notTakingPart) {
        return database.read(client -> stored.uploadedByParticipant(client, new UserId(callerId))).map(found -> found.orElseThrow(notTakingPart));
    }

    private static void refuse(Optional<UploadRefusal> found, Function<UploadRefusal, ? extends RuntimeException> refusal) {
        found.ifPresent(reason -> {
            throw refusal.apply(reason);
        });
    }
}
