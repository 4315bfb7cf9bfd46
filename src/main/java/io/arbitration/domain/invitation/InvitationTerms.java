package io.arbitration.domain.invitation;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** The lifetime and number of invitations, and the obstacles to an answer. */
public final class InvitationTerms {

    /** From the time at which it was sent or renewed. */
    public static final Duration OPEN = Duration.ofDays(14);
    /** Open invitations of one organization or case. */
    public static final int OPEN_MAX = 100;
    /** Invitations that one user can send on a day (UTC), to organizations and cases together, including renewals. */
    public static final int A_DAY_MAX = 50;

    private InvitationTerms() {}

    /** The reasons why an invitation cannot be answered. */
    public enum Obstacle {
        /** Its inviter may no longer invite; the answer does not reveal that the invitation exists. */
        VOID,
        ANSWERED,
        EXPIRED
    }

    /**
     * The obstacle to an answer now; empty: none.
     *
     * @param isAnswered whether it was accepted, declined or revoked
     * @param isVoid whether its inviter was disabled or may no longer invite
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

    /** The link in the email of an invitation, at the platform's public address. */
    public static String link(String publicUrl, UUID invitationId) {
        return "%s/?invitation=%s".formatted(publicUrl, invitationId);
    }

    /** The seconds until a time, rounded up; at least 1. */
    public static int secondsUntil(Instant then, Instant now) {
        return (int) Math.max(1, Duration.between(now, then).plusMillis(999).toSeconds());
    }
}
