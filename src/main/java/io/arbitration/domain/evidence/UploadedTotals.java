package io.arbitration.domain.evidence;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.UserId;
import java.util.HashMap;
import java.util.Map;

/**
 * The bytes that were uploaded to cases and by users at one moment; {@link #after} adds a further file. A case or user that is
 * not listed has uploaded nothing.
 */
public record UploadedTotals(Map<CaseId, Long> byCase, Map<UserId, Long> byUser) {

    public static final UploadedTotals NOTHING = new UploadedTotals(Map.of(), Map.of());

    public UploadedTotals {
        byCase = Map.copyOf(byCase);
        byUser = Map.copyOf(byUser);
    }

    public UploadedBytes of(CaseId caseId, UserId userId) {
        return new UploadedBytes(byCase.getOrDefault(caseId, 0L), byUser.getOrDefault(userId, 0L));
    }

    /** Whether both have a count. */
    public boolean names(CaseId caseId, UserId userId) {
        return byCase.containsKey(caseId) && byUser.containsKey(userId);
    }

    /** With a further file of this size. */
    public UploadedTotals after(CaseId caseId, UserId userId, long bytes) {
        Map<CaseId, Long> cases = new HashMap<>(byCase);
        Map<UserId, Long> users = new HashMap<>(byUser);
        cases.merge(caseId, bytes, Long::sum);
        users.merge(userId, bytes, Long::sum);
        return new UploadedTotals(cases, users);
    }
}
