package io.arbitration.mainapi.files;

import io.arbitration.platform.batching.BatchingLoader;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.AuditTrail;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Collections;

/**
 * Records in the audit trail that files were read. Lines that wait while others are written share one statement and one commit:
 * no reader gets a byte before its own line is committed.
 */
public final class ReadingTrail {

    private final BatchingLoader<AuditTrail.Line, Void> lines;

    public ReadingTrail(Vertx vertx, Database database, AuditTrail audit) {
        this.lines = new BatchingLoader<>(vertx, waiting -> database.read(client -> audit.append(client, waiting))
                .map(written -> Collections.nCopies(waiting.size(), null)));
    }

    /** Completes when the line is committed. To be called on an event loop. */
    public Future<Void> add(AuditTrail.Line line) {
        return lines.load(line);
    }
}
