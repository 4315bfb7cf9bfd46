package io.arbitration.cases;

import io.arbitration.platform.config.Configuration;

/**
 * How many cases are created.
 *
 * @param perUserAndDay by one user in a day of UTC, super administrators excepted
 * @param perOrganizationAndDay by users who act for one organization in a day of UTC
 */
public record NewCasesSettings(int perUserAndDay, int perOrganizationAndDay) {

    public static NewCasesSettings read(Configuration c) {
        return new NewCasesSettings(c.whole("cases.createdPerUserAndDay", 1, 1_000_000), c.whole("cases.createdPerOrganizationAndDay", 1, 1_000_000));
    }
}
