package io.arbitration.domain.evidence;

import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.cases.Party;
import io.arbitration.domain.cases.Standing;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

/** Who sees whose evidence. */
public final class EvidenceVisibility {

    private final Set<PhaseId> sharedPhases;

    public EvidenceVisibility(CaseRules rules) {
        this.sharedPhases = Set.copyOf(rules.phasesOfSharedEvidence());
    }

    /**
     * Whether somebody sees the evidence of a party. The case manager's side sees all of it, every other side its own and, from the
     * exchange of evidence on, all; observers see what the other members of their side see. The view
     * {@code mainapi_api.upload_readers} says the same in SQL.
     */
    public boolean sees(Standing viewer, PartyId uploader) {
        return viewer.part()
                .filter(part -> part.partyId().equals(uploader) || part.partyId().equals(Party.CASE_MANAGER)
                        || sharedPhases.contains(viewer.phaseId()))
                .isPresent();
    }

    /** Those of the parties whose evidence somebody sees. */
    public Set<PartyId> seen(Standing viewer, Collection<PartyId> uploaders) {
        return uploaders.stream().filter(uploader -> sees(viewer, uploader)).collect(Collectors.toUnmodifiableSet());
    }
}
