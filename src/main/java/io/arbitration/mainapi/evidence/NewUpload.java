package io.arbitration.mainapi.evidence;

import io.arbitration.domain.CaseId;
import io.arbitration.platform.auth.Requester;
import java.util.Optional;

/**
 * The fields of a file that a user uploads.
 *
 * @param caseId empty if the client's text names no case
 * @param categoryID as the client wrote it
 */
record NewUpload(Optional<CaseId> caseId, String categoryID, String description, Requester requester) {}
