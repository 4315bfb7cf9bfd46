package io.arbitration.mainapi.docket;

import io.arbitration.domain.CaseId;

/** An entry of one of the cases of a user, as this user may read it. */
record RecentEntry(CaseId caseId, String caseTitle, ListedEntry entry) {}
