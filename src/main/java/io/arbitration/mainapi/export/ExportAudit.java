package io.arbitration.mainapi.export;

import io.arbitration.cases.ExportOrder;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.AuditTrail;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Instant;
import java.util.List;

/** Writes exports to the audit trail, and reads the lines of the trail for them. */
final class ExportAudit {

    private final Database database;
    private final AuditTrail audit;
    private final Clock clock;

    ExportAudit(Database database, AuditTrail audit, Clock clock) {
        this.database = database;
        this.audit = audit;
        this.clock = clock;
    }

    /** @param subject the ID of the object of the action; null: the case itself */
    Future<Void> write(ExportOrder order, String action, String subject) {
        AuditTrail.Line line = new AuditTrail.Line(order.caseId().value(), Timestamps.milliseconds(clock.instant()), order.requester().userId(),
                action, subject, order.requester().requestId(), order.requester().address());
        return database.read(client -> audit.append(client, List.of(line)));
    }

    /** The lines after an id, up to the last one at the moment of the export. */
    Future<List<AuditTrail.Entry>> read(ExportOrder order, long afterId, Snapshot snapshot, Instant recent, int limit) {
        return audit.inSnapshot(database, order.caseId().value(), afterId, order.requester().userId(), snapshot.ofDatabase(), recent, limit);
    }
}
