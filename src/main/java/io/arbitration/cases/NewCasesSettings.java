package io.arbitration.cases;

import io.arbitration.platform.config.Configuration;

/**
 * Bounds on new cases.
 *
 * @param perUserAndDay by one user in a day (UTC), except super administrators
 * @param perOrganizationAndDay by users who act for one organization in a day (UTC)
 */
public record NewCasesSettings(int perUserAndDay, int perOrganizationAndDay) {

    public static NewCasesSettings read(Configuration c) {
        return new NewCasesSettings(c.whole("cases.createdPerUserAndDay", 1, 1_000_000), c.whole("cases.createdPerOrganizationAndDay", 1, 1_000_000));
    }
}
