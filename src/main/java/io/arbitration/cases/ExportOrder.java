package io.arbitration.cases;

import io.vertx.core.buffer.Buffer;
import java.util.UUID;

/**
 * Who wants the export of which case.
 *
 * @param revision of the case at which the caller was found to be allowed
 * @param shown the case as {@code /cases/view} shows it
 * @param isSuperAdministrator one without a part in the case sees what its case manager sees
 * @param withAudit whether the caller may see the audit trail
 * @param requestId for the audit trail
 * @param address of the peer, for the audit trail
 */
public record ExportOrder(
        UUID caseId, String title, long revision, Buffer shown, UUID userId, boolean isSuperAdministrator, boolean withAudit,
        String requestId, String address) {}
