package io.arbitration.domain.evidence;

import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.cases.CaseParticipation;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.cases.Party;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

/** Who sees the evidence of which party. */
public final class EvidenceVisibility {

    private final Set<PhaseId> sharedPhases;

    public EvidenceVisibility(CaseRules rules) {
        this.sharedPhases = Set.copyOf(rules.phasesOfSharedEvidence());
    }

    /**
     * Whether a user sees the evidence of a party. The case manager's side sees all of it. Every other side sees its own and,
     * from the exchange of evidence on, all. Observers see what the other members of their side see. The view {@code
     * mainapi_api.upload_readers} implements the same rule in SQL.
     */
    public boolean sees(CaseParticipation viewer, PartyId uploader) {
        return viewer.part()
                .filter(part -> part.partyId().equals(uploader) || part.partyId().equals(Party.CASE_MANAGER)
                        || sharedPhases.contains(viewer.phaseId()))
                .isPresent();
    }

    /** The parties whose evidence the user sees. */
    public Set<PartyId> seen(CaseParticipation viewer, Collection<PartyId> uploaders) {
        return uploaders.stream().filter(uploader -> sees(viewer, uploader)).collect(Collectors.toUnmodifiableSet());
    }
}
