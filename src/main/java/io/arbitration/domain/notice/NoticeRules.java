package io.arbitration.domain.notice;

import io.arbitration.domain.Decision;
import io.arbitration.domain.Decision.Decided;
import io.arbitration.domain.Decision.Refused;
import io.arbitration.domain.UserId;
import io.arbitration.domain.notice.NoticeCase.Participant;
import io.arbitration.domain.text.Mailbox;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Who may serve a notice, and on which recipients. Checked in the order of the specification: participation, then state, then
 * recipients.
 */
public final class NoticeRules {

    private NoticeRules() {}

    /** The reason why a user may not see the notices of the case; all participants may, because service is on the record. */
    public static Optional<NoticeRefusal> rejectsView(NoticeCase in, UserId caseUser) {
        return in.participant(caseUser).isPresent() ? Optional.empty() : Optional.of(new NoticeRefusal.NotAParticipant());
    }

    /** The reason why a user may not serve notices in the case, whatever its state. */
    public static Optional<NoticeRefusal> rejectsServing(NoticeCase in, UserId caseUser) {
        return rejectsView(in, caseUser).or(() -> in.participant(caseUser).filter(Participant::isObserver).map(observer -> new NoticeRefusal.IsObserver()))
                .or(() -> in.participant(caseUser).filter(participant -> !participant.mayFile()).map(restricted -> new NoticeRefusal.MayNotFile()));
    }

    /** The reason why a user may not serve that entry. */
    public static Optional<NoticeRefusal> refusesEntry(NoticeCase in, ServedEntry entry, UserId caseUser) {
        return entry.isSeenBy(in.participant(caseUser)) ? Optional.empty() : Optional.of(new NoticeRefusal.EntrySealed());
    }

    /** The reason why the case no longer allows service. */
    public static Optional<NoticeRefusal> rejectsState(NoticeCase in) {
        return in.isOpen() ? Optional.empty() : Optional.of(new NoticeRefusal.CaseClosed());
    }

    /** The recipients of the entry, each address once, in the order of the request; or the refusal. */
    public static Decision<List<Recipient>, NoticeRefusal> recipients(NoticeCase in, ServedEntry entry, List<Recipient.Named> named) {
        // A recipient may be named both by user and by address.
        Map<String, Recipient> once = new LinkedHashMap<>();
        for (Recipient.Named one : named) {
            Decision<Recipient, NoticeRefusal> decision = switch (one) {
                case Recipient.Named.Address(int place, String email) -> outsider(in, entry, place, email);
                case Recipient.Named.User(int place, Optional<UserId> userId) -> participant(in, entry, place, userId);
            };
            switch (decision) {
                case Decided<Recipient, NoticeRefusal>(Recipient recipient) -> once.putIfAbsent(recipient.email().toLowerCase(Locale.ROOT), recipient);
                case Refused<Recipient, NoticeRefusal>(NoticeRefusal reason) -> {
                    return new Refused<>(reason);
                }
            }
        }
        return new Decided<>(List.copyOf(once.values()));
    }

    private static Decision<Recipient, NoticeRefusal> outsider(NoticeCase in, ServedEntry entry, int place, String email) {
        boolean isOutside = !in.hasAddress(email);
        if (!entry.isSeenBy(in.withAddress(email))) {
            return new Refused<>(new NoticeRefusal.MayNotSee(place));
        }
        return isOutside && !entry.mayLeaveTheCase()
                ? new Refused<>(new NoticeRefusal.OutsideOfTheCase(place))
                : new Decided<>(new Recipient(place, email, Optional.empty(), isOutside));
    }

    private static Decision<Recipient, NoticeRefusal> participant(NoticeCase in, ServedEntry entry, int place, Optional<UserId> userId) {
        Optional<Participant> participant = userId.flatMap(in::participant);
        if (participant.isEmpty()) {
            return new Refused<>(new NoticeRefusal.NoSuchRecipient(place));
        }
        if (!entry.isSeenBy(participant)) {
            return new Refused<>(new NoticeRefusal.MayNotSee(place));
        }
        return participant.get().email().flatMap(NoticeRules::usable)
                .<Decision<Recipient, NoticeRefusal>>map(email -> new Decided<>(new Recipient(place, email, userId, false)))
                .orElseGet(() -> new Refused<>(new NoticeRefusal.NoAddress(place)));
    }

    private static Optional<String> usable(String email) {
        try {
            return Optional.of(Mailbox.parse(email).address());
        } catch (IllegalArgumentException unusable) {
            return Optional.empty();
        }
    }
}
