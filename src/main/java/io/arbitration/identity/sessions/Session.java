package io.arbitration.identity.sessions;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A session of a user: the family of its refresh tokens, of which one generation is current.
 *
 * @param advancedAt when that generation became current
 * @param provider that the user signed in by; empty for a session that a node of an earlier version opened
 */
public record Session(
        UUID id, UUID userId, int generation, Instant advancedAt, Instant created, Instant authenticatedAt, Instant lastUsed, Instant expiresAt,
        Optional<UUID> organizationId, Optional<String> provider, boolean isEnded, boolean isOfDisabledUser) {

    /**
     * What sessions are held to.
     *
     * @param refreshToken how long a session lasts that nobody renews
     * @param longest how long one lasts however often it is renewed
     * @param browserIdle how long one of a browser lasts that is not used
     * @param reuse how long after its first use a refresh token is taken for a lost answer
     * @param perUser how many a user has at once
     * @param providers whose users may be signed in
     */
    public record Rules(Duration refreshToken, Duration longest, Duration browserIdle, Duration reuse, int perUser, Set<String> providers) {

        Instant expiry(Instant created, Instant now) {
            Instant latest = created.plus(longest);
            Instant next = now.plus(refreshToken);
            return next.isAfter(latest) ? latest : next;
        }
    }

    /** What the use of a refresh token comes to. */
    enum Use {
        /** The token is of the current generation: the next one becomes current. */
        ADVANCES,
        /** Its answer was lost: another token of the current generation is given. */
        REPEATS,
        /** Somebody else holds the same token: the session ends. */
        IS_STOLEN,
        /** The session is over already. */
        IS_OVER,
        /** Its provider is configured no more, or it has lasted as long as any may: it ends now. */
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

    /** Whether the holder of its cookie is let in. */
    boolean isGood(Rules rules, Instant now) {
        return !isEnded && !isOfDisabledUser && now.isBefore(expiresAt) && now.isBefore(lastUsed.plus(rules.browserIdle())) && isWithin(rules, now);
    }
}
