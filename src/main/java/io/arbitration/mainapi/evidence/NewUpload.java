package io.arbitration.mainapi.evidence;

import io.arbitration.domain.CaseId;
import io.arbitration.platform.auth.Requester;
import java.util.Optional;

/**
 * What somebody says of a file that they upload.
 *
 * @param caseId     empty: what the client wrote names no case
 * @param categoryID as the client wrote it
 */
record NewUpload(Optional<CaseId> caseId, String categoryID, String description, Requester requester) {}
