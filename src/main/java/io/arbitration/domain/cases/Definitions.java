package io.arbitration.domain.cases;

import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The content of the definition files, checked and immutable.
 *
 * <p>Lists keep the order of the files: parties, phases, evidence and mail types as written, documents and rule sets
 * by id. {@link DefinitionsLoader} makes one.
 */
public final class Definitions implements DefinitionNames {
    private final List<Party> parties;
    private final List<Phase> phases;
    private final List<DocumentType> documents;
    private final List<EvidenceType> evidence;
    private final List<MailType> mailTypes;
    private final List<RuleSet> ruleSets;
    private final Map<PartyId, Party> partiesById;
    private final Map<PhaseId, Phase> phasesById;
    private final Map<DocumentTypeId, DocumentType> documentsById;
    private final Map<String, EvidenceType> evidenceById;
    private final Map<String, MailType> mailTypesById;
    private final Map<String, RuleSet> ruleSetsById;

    /** Fails with IllegalStateException if two definitions of a kind have the same ID. */
    public Definitions(
            List<Party> parties,
            List<Phase> phases,
            List<DocumentType> documents,
            List<EvidenceType> evidence,
            List<MailType> mailTypes,
            List<RuleSet> ruleSets) {
        this.parties = List.copyOf(parties);
        this.phases = List.copyOf(phases);
        this.documents = List.copyOf(documents);
        this.evidence = List.copyOf(evidence);
        this.mailTypes = List.copyOf(mailTypes);
        this.ruleSets = List.copyOf(ruleSets);
        partiesById = byId(parties, Party::id);
        phasesById = byId(phases, Phase::id);
        documentsById = byId(documents, DocumentType::id);
        evidenceById = byId(evidence, EvidenceType::id);
        mailTypesById = byId(mailTypes, MailType::id);
        ruleSetsById = byId(ruleSets, RuleSet::id);
    }

    public List<Party> parties() {
        return parties;
    }

    /** The phases, in the order of a case. */
    public List<Phase> phases() {
        return phases;
    }

    public List<DocumentType> documents() {
        return documents;
    }

    public List<EvidenceType> evidence() {
        return evidence;
    }

    public List<MailType> mailTypes() {
        return mailTypes;
    }

    public List<RuleSet> ruleSets() {
        return ruleSets;
    }

    public Optional<Party> party(PartyId partyId) {
        return Optional.ofNullable(partiesById.get(partyId));
    }

    public Optional<Phase> phase(PhaseId phaseId) {
        return Optional.ofNullable(phasesById.get(phaseId));
    }

    public Optional<DocumentType> document(DocumentTypeId documentId) {
        return Optional.ofNullable(documentsById.get(documentId));
    }

    /** The display name of that party; its ID if the definitions no longer contain it. */
    public String partyName(PartyId partyId) {
        return party(partyId).map(Party::displayName).orElse(partyId.value());
    }

    /** The display name of that phase; its ID if the definitions no longer contain it. */
    public String phaseName(PhaseId phaseId) {
        return phase(phaseId).map(Phase::displayName).orElse(phaseId.value());
    }

    /** The display name of that document; its ID if the definitions no longer contain it. */
    public String documentName(DocumentTypeId documentId) {
        return document(documentId).map(DocumentType::displayName).orElse(documentId.value());
    }

    public Optional<EvidenceType> evidenceType(String categoryId) {
        return Optional.ofNullable(evidenceById.get(categoryId));
    }

    public Optional<MailType> mailType(String mailTypeId) {
        return Optional.ofNullable(mailTypesById.get(mailTypeId));
    }

    public Optional<RuleSet> ruleSet(String ruleSetId) {
        return Optional.ofNullable(ruleSetsById.get(ruleSetId));
    }

    @Override
    public boolean hasDocument(String documentId) {
        return DocumentTypeId.of(documentId).filter(documentsById::containsKey).isPresent();
    }

    @Override
    public boolean hasRuleSet(String ruleSet) {
        return ruleSetsById.containsKey(ruleSet);
    }

    /** The phase in which a case starts. */
    public Phase firstPhase() {
        return phases.getFirst();
    }

    /** The phase that follows; empty after the last. Fails with NoSuchElementException for an unknown phase. */
    public Optional<Phase> phaseAfter(PhaseId phaseId) {
        int next = phase(phaseId).orElseThrow(() -> new NoSuchElementException("phase " + phaseId)).position() + 1;
        return next < phases.size() ? Optional.of(phases.get(next)) : Optional.empty();
    }

    private static <K, T> Map<K, T> byId(List<T> values, Function<T, K> id) {
        return values.stream().collect(Collectors.toUnmodifiableMap(id, Function.identity()));
    }
}
