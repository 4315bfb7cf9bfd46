package io.arbitration.domain.cases;

import io.arbitration.domain.UserId;

/** Who asks to see or to change a case. */
public record Asker(UserId userId, boolean isSuperAdministrator) {}
