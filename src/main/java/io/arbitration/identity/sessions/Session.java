package io.arbitration.identity.sessions;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A session of a user: the family of its refresh tokens, of which one generation is current.
 *
 * @param advancedAt when the current generation began
 * @param provider the provider of the sign-in; empty for a session that a node of an earlier version opened
 */
public record Session(
        UUID id, UUID userId, int generation, Instant advancedAt, Instant created, Instant authenticatedAt, Instant lastUsed, Instant expiresAt,
        Optional<UUID> organizationId, Optional<String> provider, boolean isEnded, boolean isOfDisabledUser) {

    /**
     * The settings of sessions.
     *
     * @param refreshToken the duration of a session without renewal
     * @param longest the maximum duration, however often it is renewed
     * @param browserIdle the duration of a browser session without use
     * @param reuse for how long after its first use a refresh token may be used again, because the answer may have been lost
     * @param perUser the maximum number of concurrent sessions of a user
     * @param providers names of the configured providers; sessions of other ones end
     */
    public record Rules(Duration refreshToken, Duration longest, Duration browserIdle, Duration reuse, int perUser, Set<String> providers) {

        Instant expiry(Instant created, Instant now) {
            Instant latest = created.plus(longest);
            Instant next = now.plus(refreshToken);
            return next.isAfter(latest) ? latest : next;
        }
    }

    /** The result of using a refresh token. */
    enum Use {
        /** The token belongs to the current generation: the next one becomes current. */
        ADVANCES,
        /** The answer was lost: the client gets another token of the current generation. */
        REPEATS,
        /** Another client has the same token: the session ends. */
        IS_STOLEN,
        /** The session has already ended. */
        IS_OVER,
        /** The session ends now, because its provider is no longer configured, or because it has reached the maximum duration. */
        ENDS
    }

    /** @param tokenGeneration of the refresh token that is used */
    Use use(int tokenGeneration, Rules rules, Instant now) {
        if (isEnded || isOfDisabledUser || !now.isBefore(expiresAt)) {
            return Use.IS_OVER;
        }
        if (!isWithin(rules, now)) {
            return Use.ENDS;
        }
        if (tokenGeneration == generation) {
            return Use.ADVANCES;
        }
        return tokenGeneration == generation - 1 && !now.isAfter(advancedAt.plus(rules.reuse())) ? Use.REPEATS : Use.IS_STOLEN;
    }

    private boolean isWithin(Rules rules, Instant now) {
        return now.isBefore(created.plus(rules.longest())) && provider.map(rules.providers()::contains).orElse(true);
    }

    /** Whether its cookie authenticates a request now. */
    boolean isValid(Rules rules, Instant now) {
        return !isEnded && !isOfDisabledUser && now.isBefore(expiresAt) && now.isBefore(lastUsed.plus(rules.browserIdle())) && isWithin(rules, now);
    }
}
