package io.arbitration.cases;

import io.arbitration.domain.CaseId;
import io.arbitration.platform.auth.Requester;
import io.vertx.core.buffer.Buffer;

/**
 * An order to export a case. A super administrator who is no participant gets what the case manager sees.
 *
 * @param revision revision of the case at which the requester's right was checked
 * @param shown the case as {@code /cases/view} shows it
 * @param inSandbox whether the case has a clock of its own
 * @param withAudit whether the requester may see the audit trail
 */
public record ExportOrder(CaseId caseId, String title, long revision, Buffer shown, boolean inSandbox, boolean withAudit, Requester requester) {}
