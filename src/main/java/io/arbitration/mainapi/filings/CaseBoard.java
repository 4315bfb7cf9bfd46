package io.arbitration.mainapi.filings;

import io.arbitration.domain.cases.CaseDates;
import io.arbitration.mainapi.docket.DocketEntry;
import io.arbitration.mainapi.docket.EntryReference;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What the cases of one batch look like under their locks, and what the decisions of the batch have changed so far: a later
 * decision sees the earlier ones before anything is written.
 */
final class CaseBoard {

    record CaseFacts(UUID caseId, String ruleSet, String phaseId, boolean open) {}

    /** The end of a docket. */
    record Head(int lastNumber, String hash, Instant enteredAt) {}

    record QuotaKey(UUID caseId, String phaseId, String partyId, String documentId) {}

    private record PartKey(UUID caseId, UUID userId) {}

    final Map<UUID, CaseFacts> cases = new HashMap<>();
    /** What deadlines are counted from; only for cases in which a command of the batch needs it. */
    final Map<UUID, CaseDates> dates = new HashMap<>();
    final Map<UUID, Head> heads = new HashMap<>();
    final Map<Long, Filing> filings = new HashMap<>();
    final Map<Long, EntryReference> references = new HashMap<>();
    private final Map<PartKey, Part> parts = new HashMap<>();
    private final Map<QuotaKey, Integer> used = new HashMap<>();

    void addPart(UUID caseId, Part part) {
        parts.put(new PartKey(caseId, part.userId()), part);
    }

    Optional<Part> part(UUID caseId, UUID userId) {
        return Optional.ofNullable(parts.get(new PartKey(caseId, userId)));
    }

    /** How often a party has a document submitted or docketed in a phase. */
    int used(QuotaKey key) {
        return used.getOrDefault(key, 0);
    }

    void setUsed(QuotaKey key, int count) {
        used.put(key, count);
    }

    /** Puts a decision on the board. */
    void apply(Filing before, FilingDecision decision) {
        Filing after = decision.filing();
        if (before != null && counts(before)) {
            used.merge(quotaKey(before), -1, Integer::sum);
        }
        if (counts(after)) {
            used.merge(quotaKey(after), 1, Integer::sum);
        }
        filings.put(after.filingId(), after);
        DocketEntry entry = decision.entry();
        if (entry != null) {
            heads.put(entry.caseId(), new Head(entry.number(), entry.hash(), entry.enteredAt()));
            references.put(entry.entryId(), new EntryReference(entry.caseId(), entry.partyId(), entry.rootEntryId(), false));
            if (entry.supersedes() != null) {
                EntryReference old = references.get(entry.supersedes());
                references.put(entry.supersedes(), new EntryReference(old.caseId(), old.partyId(), old.rootEntryId(), true));
            }
        }
    }

    private static boolean counts(Filing filing) {
        return filing.state() == FilingState.SUBMITTED || filing.state() == FilingState.DOCKETED;
    }

    private static QuotaKey quotaKey(Filing filing) {
        return new QuotaKey(filing.caseId(), filing.phaseId(), filing.partyId(), filing.documentId());
    }
}
