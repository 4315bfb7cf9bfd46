package io.arbitration.mainapi.filings;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.FilingId;
import io.arbitration.platform.auth.Requester;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What somebody says of a file that they upload.
 *
 * @param title empty: the name of the file
 * @param ifMatch revision of the filing that they have seen; empty when any will do
 */
record NewFile(CaseId caseId, FilingId filingId, Optional<String> title, OptionalLong ifMatch, Requester requester) {}
