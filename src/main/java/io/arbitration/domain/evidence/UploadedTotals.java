package io.arbitration.domain.evidence;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import java.util.HashMap;
import java.util.Map;

/**
 * The bytes that were uploaded to cases, for their parties and by users at one moment; {@link #after} adds a further file. A case, party or
 * user that is not listed has uploaded nothing.
 */
public record UploadedTotals(Map<CaseId, Long> byCase, Map<Side, Long> byParty, Map<UserId, Long> byUser) {

    public static final UploadedTotals NOTHING = new UploadedTotals(Map.of(), Map.of(), Map.of());

    /** A party in a case. */
    public record Side(CaseId caseId, PartyId partyId) {}

    public UploadedTotals {
        byCase = Map.copyOf(byCase);
        byParty = Map.copyOf(byParty);
        byUser = Map.copyOf(byUser);
    }

    public UploadedBytes of(Side side, UserId userId) {
        return new UploadedBytes(byCase.getOrDefault(side.caseId, 0L), byParty.getOrDefault(side, 0L), byUser.getOrDefault(userId, 0L));
    }

    /** Whether case, party and user all have a count. */
    public boolean names(Side side, UserId userId) {
        return byCase.containsKey(side.caseId) && byParty.containsKey(side) && byUser.containsKey(userId);
    }

    /** With a further file of this size. */
    public UploadedTotals after(Side side, UserId userId, long bytes) {
        return new UploadedTotals(plus(byCase, side.caseId, bytes), plus(byParty, side, bytes), plus(byUser, userId, bytes));
    }

    private static <K> Map<K, Long> plus(Map<K, Long> counted, K key, long bytes) {
        Map<K, Long> more = new HashMap<>(counted);
        more.merge(key, bytes, Long::sum);
        return more;
    }
}
