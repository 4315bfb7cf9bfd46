package io.arbitration.domain.evidence;

import io.arbitration.domain.Decision;
import io.arbitration.domain.Decision.Decided;
import io.arbitration.domain.Decision.Refused;
import io.arbitration.domain.cases.CaseParticipation;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.cases.EvidenceType;
import io.arbitration.domain.cases.Participant;
import java.util.Optional;

/** Who may upload which evidence when, and how much of it. */
public final class UploadRules {

    private final CaseRules rules;
    private final EvidenceBounds bounds;

    public UploadRules(CaseRules rules, EvidenceBounds bounds) {
        this.rules = rules;
        this.bounds = bounds;
    }

    public EvidenceBounds bounds() {
        return bounds;
    }

    /**
     * The category of an allowed upload, or the refusal: in the order existence, participation, state.
     *
     * @param participation of the uploader; empty: there is no such case
     * @param categoryID as the client wrote it
     */
    public Decision<EvidenceType, UploadRefusal> admit(Optional<CaseParticipation> participation, String categoryID) {
        if (participation.isEmpty()) {
            return new Refused<>(UploadRefusal.CASE_NOT_FOUND);
        }
        Optional<EvidenceType> category = rules.definitions().evidenceType(categoryID);
        if (category.isEmpty()) {
            return new Refused<>(UploadRefusal.CATEGORY_NOT_FOUND);
        }
        return refusesUploader(participation.get()).<Decision<EvidenceType, UploadRefusal>>map(Refused::new)
                .orElseGet(() -> new Decided<>(category.get()));
    }

    private Optional<UploadRefusal> refusesUploader(CaseParticipation participation) {
        if (participation.part().isEmpty()) {
            return Optional.of(UploadRefusal.NOT_A_PARTICIPANT);
        }
        Participant uploader = participation.part().get();
        if (uploader.isObserver()) {
            return Optional.of(UploadRefusal.OBSERVER);
        }
        if (!uploader.mayFile()) {
            return Optional.of(UploadRefusal.MAY_NOT_FILE);
        }
        if (!participation.isOpen()) {
            return Optional.of(UploadRefusal.CASE_CLOSED);
        }
        return rules.takesEvidence(participation.phaseId(), uploader.partyId())
                ? Optional.empty()
                : Optional.of(UploadRefusal.NOT_TAKEN_IN_PHASE);
    }

    /** Whether a party may have an exhibit with that number. */
    public Optional<UploadRefusal> refuses(ExhibitNumber exhibit) {
        return exhibit.inParty() > bounds.uploadsPerPartyMax() ? Optional.of(UploadRefusal.TOO_MANY_OF_PARTY) : Optional.empty();
    }

    /** Whether this total may be uploaded. */
    public Optional<UploadRefusal> refuses(UploadedBytes uploaded) {
        return refusesOfCase(uploaded.ofCase()).or(() -> refusesOfParty(uploaded.ofParty())).or(() -> refusesOfUser(uploaded.ofUser()));
    }

    /** Whether a case may contain this total, whoever adds it. */
    public Optional<UploadRefusal> refusesOfCase(long bytes) {
        return bytes > bounds.caseBytesMax() ? Optional.of(UploadRefusal.TOO_MANY_BYTES_OF_CASE) : Optional.empty();
    }

    private Optional<UploadRefusal> refusesOfParty(long bytes) {
        return bytes > bounds.partyBytesMax() ? Optional.of(UploadRefusal.TOO_MANY_BYTES_OF_PARTY) : Optional.empty();
    }

    /** Whether a user may upload this total, to any cases. */
    public Optional<UploadRefusal> refusesOfUser(long bytes) {
        return bytes > bounds.userBytesMax() ? Optional.of(UploadRefusal.TOO_MANY_BYTES_OF_USER) : Optional.empty();
    }
}
