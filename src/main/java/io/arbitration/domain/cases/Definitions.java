package io.arbitration.domain.cases;

import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Everything that the definition files say, checked and immutable.
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
    private final Map<String, Party> partiesById;
    private final Map<String, Phase> phasesById;
    private final Map<String, DocumentType> documentsById;
    private final Map<String, EvidenceType> evidenceById;
    private final Map<String, MailType> mailTypesById;
    private final Map<String, RuleSet> ruleSetsById;

    /** Fails with IllegalStateException where two of a kind have one id. */
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

    /** The phases in the order in which a case goes through them. */
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

    public Optional<Party> party(String partyID) {
        return Optional.ofNullable(partiesById.get(partyID));
    }

    public Optional<Phase> phase(String phaseID) {
        return Optional.ofNullable(phasesById.get(phaseID));
    }

    public Optional<DocumentType> document(String documentID) {
        return Optional.ofNullable(documentsById.get(documentID));
    }

    public Optional<EvidenceType> evidenceType(String categoryID) {
        return Optional.ofNullable(evidenceById.get(categoryID));
    }

    public Optional<MailType> mailType(String mailTypeID) {
        return Optional.ofNullable(mailTypesById.get(mailTypeID));
    }

    public Optional<RuleSet> ruleSet(String ruleSetID) {
        return Optional.ofNullable(ruleSetsById.get(ruleSetID));
    }

    @Override
    public boolean hasDocument(String documentID) {
        return documentsById.containsKey(documentID);
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
    public Optional<Phase> phaseAfter(String phaseID) {
        int next = phase(phaseID).orElseThrow(() -> new NoSuchElementException("phase " + phaseID)).position() + 1;
        return next < phases.size() ? Optional.of(phases.get(next)) : Optional.empty();
    }

    private static <T> Map<String, T> byId(List<T> values, Function<T, String> id) {
        return values.stream().collect(Collectors.toUnmodifiableMap(id, Function.identity()));
    }
}
