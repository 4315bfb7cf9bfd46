package io.arbitration.domain.cases;

import io.arbitration.domain.UserId;

/** The user who wants to see or change a case. */
public record CaseUser(UserId userId, boolean isSuperAdministrator) {}
