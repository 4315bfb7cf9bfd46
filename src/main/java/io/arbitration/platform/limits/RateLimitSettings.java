package io.arbitration.platform.limits;

import io.arbitration.platform.config.Configuration;

/**
 * The request rates of callers and addresses.
 *
 * @param perCaller requests a second
 * @param perOrganization requests a second of all callers of one organization
 * @param perAddress requests a second without a token
 * @param connectionsPerAddress new connections a second
 * @param refusalsPerAddress requests a second that are refused before the connection is closed with the answer
 * @param capturesPerMinute captures of web pages
 * @param capturesPerCaller captures of web pages, running and waiting at once
 * @param keysMax keys (callers, organizations or addresses) that each limiter counts at once
 */
public record RateLimitSettings(boolean enabled, int perCaller, int perOrganization, int perAddress, int connectionsPerAddress, int refusalsPerAddress, int capturesPerMinute, int capturesPerCaller,
        int keysMax) {

    public static RateLimitSettings read(Configuration c) {
        return new RateLimitSettings(c.yesOrNo("rateLimit.enabled"), c.whole("rateLimit.perCaller", 1, 1_000_000), c.whole("rateLimit.perOrganization", 1, 1_000_000),
                c.whole("rateLimit.perAddress", 1, 1_000_000), c.whole("rateLimit.connectionsPerAddress", 1, 1_000_000),
                c.whole("rateLimit.refusalsPerAddress", 1, 1_000_000), c.whole("rateLimit.capturesPerMinute", 1, 100_000),
                c.whole("rateLimit.capturesPerCaller", 1, 10_000), c.whole("rateLimit.keysMax", 100, 10_000_000));
    }
}
