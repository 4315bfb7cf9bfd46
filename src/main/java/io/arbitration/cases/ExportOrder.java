package io.arbitration.cases;

import io.arbitration.domain.CaseId;
import io.arbitration.platform.auth.Requester;
import io.vertx.core.buffer.Buffer;

/**
 * Who wants the export of which case. A super administrator without a part in the case gets what its case manager sees.
 *
 * @param revision  of the case at which the requester was found to be allowed
 * @param shown     the case as {@code /cases/view} shows it
 * @param inSandbox whether the case runs by a clock of its own
 * @param withAudit whether the requester may see the audit trail
 */
public record ExportOrder(CaseId caseId, String title, long revision, Buffer shown, boolean inSandbox, boolean withAudit, Requester requester) {}
