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
 * The settings of tokens and sign-in.
 *
 * @param issuer of the platform's tokens; empty: the public address of the identity area
 * @param accessToken the lifetime of an access token
 * @param refreshReuse for how long a used refresh token may be used again, because the client may have lost the answer
 * @param session the maximum duration of a session, however often it is renewed
 * @param browserIdle the duration of an unused session of a browser
 * @param sessionsPerUserMax sessions of one user; a further one ends the one that was not used for longest
 * @param organizationsPerUserMax organizations that one user creates
 * @param clientsPerOrganizationMax machine clients that act for one organization
 * @param clientChangesPerMinute rotated secrets, disabled and enabled clients of one organization
 * @param ended how long ended sessions and answered invitations are stored
 * @param signingKey the age at which the next signing key replaces a key
 * @param rememberedMax verified access tokens in the cache, and the same number of session cookies
 * @param revocationsMax ended sessions and lost permissions in memory; older ones are looked up in the database
 * @param superAdministrators their email addresses, in lower case
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
