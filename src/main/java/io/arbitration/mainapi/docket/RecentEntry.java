package io.arbitration.mainapi.docket;

import io.arbitration.domain.CaseId;

/** An entry of one of somebody's cases, as that somebody may read it. */
record RecentEntry(CaseId caseId, String caseTitle, ListedEntry entry) {}
