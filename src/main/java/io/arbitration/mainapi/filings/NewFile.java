package io.arbitration.mainapi.filings;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.FilingId;
import io.arbitration.platform.auth.Requester;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The fields of an upload besides the file.
 *
 * @param title if empty, the name of the file
 * @param ifMatch the revision that the filing must have; empty: any
 */
record NewFile(CaseId caseId, FilingId filingId, Optional<String> title, OptionalLong ifMatch, Requester requester) {}
