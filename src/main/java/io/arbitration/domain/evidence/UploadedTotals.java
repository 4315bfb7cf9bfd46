package io.arbitration.domain.evidence;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.UserId;
import java.util.HashMap;
import java.util.Map;

/**
 * What has been uploaded to cases and by users, as of one moment; {@link #after} gives it as a further file leaves it. A case or user
 * that is not named has uploaded nothing.
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

    /** Whether something was counted for both. */
    public boolean names(CaseId caseId, UserId userId) {
        return byCase.containsKey(caseId) && byUser.containsKey(userId);
    }

    /** With a file of so many bytes more. */
    public UploadedTotals after(CaseId caseId, UserId userId, long bytes) {
        Map<CaseId, Long> cases = new HashMap<>(byCase);
        Map<UserId, Long> users = new HashMap<>(byUser);
        cases.merge(caseId, bytes, Long::sum);
        users.merge(userId, bytes, Long::sum);
        return new UploadedTotals(cases, users);
    }
}
