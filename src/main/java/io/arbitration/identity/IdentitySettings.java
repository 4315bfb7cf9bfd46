package io.arbitration.identity;

import io.arbitration.platform.config.Configuration;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tokens and sign-in.
 *
 * @param issuer of the platform's tokens; empty: the public address of the identity area
 * @param accessToken how long an access token holds
 * @param refreshReuse how long a refresh token that was used may be used again, as by a client that lost the answer
 * @param session the longest that a session lasts, however often it is renewed
 * @param browserIdle how long a session of a browser lasts that is not used
 * @param sessionsPerUserMax sessions of one user; one more ends the one that was not used for longest
 * @param organizationsPerUserMax organizations that one user creates
 * @param clientsPerOrganizationMax machine clients that act for one organization
 * @param clientChangesPerMinute rotated secrets, disabled and enabled clients of one organization
 * @param ended how long ended sessions and answered invitations are kept
 * @param signingKey how long a key signs before the next one does
 * @param rememberedMax access tokens, and as many cookies of sessions, whose check is remembered
 * @param revocationsMax ended sessions and lost permissions that are held in memory; what is older is asked of the database
 * @param superAdministrators their e-mail addresses, in small letters
 */
public record IdentitySettings(
        Optional<String> issuer, String audience, Duration accessToken, Duration refreshToken, Duration refreshReuse,
        Duration session, Duration browserIdle, int sessionsPerUserMax, int organizationsPerUserMax, int clientsPerOrganizationMax, int clientChangesPerMinute, Duration ended, Duration signingKey, Duration clockSkew, int rememberedMax, int revocationsMax,
        Set<String> superAdministrators, Map<String, IdentityProviderSettings> providers) {

    public static IdentitySettings read(Configuration c, Path home) {
        Map<String, IdentityProviderSettings> providers = new HashMap<>();
        c.map("identity.providers").forEach((name, value) -> providers.put(name, IdentityProviderSettings.read(name, value, home)));
        return new IdentitySettings(
                c.optional("identity.issuer"), c.required("identity.audience"),
                Duration.ofSeconds(c.whole("identity.accessTokenSeconds", 60, 86_400)),
                Duration.ofDays(c.whole("identity.refreshTokenDays", 1, 365)),
                Duration.ofSeconds(c.whole("identity.refreshReuseSeconds", 0, 60)),
                Duration.ofDays(c.whole("identity.sessionDaysMax", 1, 365)),
                Duration.ofHours(c.whole("identity.browserIdleHours", 1, 8760)),
                c.whole("identity.sessionsPerUserMax", 1, 100_000),
                c.whole("identity.organizationsPerUserMax", 1, 10_000),
                c.whole("identity.clientsPerOrganizationMax", 1, 10_000),
                c.whole("identity.clientChangesPerMinute", 1, 100_000),
                Duration.ofDays(c.whole("identity.endedDays", 1, 3650)),
                Duration.ofDays(c.whole("identity.signingKeyDays", 1, 365)),
                Duration.ofSeconds(c.whole("identity.clockSkewSeconds", 0, 300)),
                c.whole("identity.rememberedMax", 100, 10_000_000),
                c.whole("identity.revocationsMax", 1000, 10_000_000),
                Set.copyOf(c.list("identity.superAdministrators").stream().map(email -> email.toLowerCase(Locale.ROOT)).toList()),
                Map.copyOf(providers));
    }
}
