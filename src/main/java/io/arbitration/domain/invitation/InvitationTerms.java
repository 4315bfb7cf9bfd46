package io.arbitration.domain.invitation;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** For how long an invitation can be answered, how many there can be, and what stands against an answer. */
public final class InvitationTerms {

    /** From when it was sent, or renewed by the same again. */
    public static final Duration OPEN = Duration.ofDays(14);
    /** Open ones of one organization or case. */
    public static final int OPEN_MAX = 100;
    /** What one user sends on a day (UTC), into organizations and cases together, renewals included. */
    public static final int A_DAY_MAX = 50;

    private InvitationTerms() {}

    /** Why an invitation cannot be answered. */
    public enum Obstacle {
        /** Its inviter may not invite any more; nobody learns that there was one. */
        VOID,
        ANSWERED,
        EXPIRED
    }

    /**
     * What stands against an answer now; empty: nothing.
     *
     * @param isAnswered whether it was accepted, declined or revoked
     * @param isVoid     whether its inviter was disabled or may not invite any more
     */
    public static Optional<Obstacle> obstacle(boolean isAnswered, boolean isVoid, Instant expiresAt, Instant now) {
        if (isAnswered) {
            return Optional.of(Obstacle.ANSWERED);
        }
        if (isVoid) {
            return Optional.of(Obstacle.VOID);
        }
        return now.isBefore(expiresAt) ? Optional.empty() : Optional.of(Obstacle.EXPIRED);
    }

    /** The address that the email of an invitation names, at the platform's own public address. */
    public static String link(String publicUrl, UUID invitationId) {
        return "%s/?invitation=%s".formatted(publicUrl, invitationId);
    }

    /** In how many seconds a time comes, rounded up; 1 at least. */
    public static int secondsUntil(Instant then, Instant now) {
        return (int) Math.max(1, Duration.between(now, then).plusMillis(999).toSeconds());
    }
}
