package io.arbitration.domain.cases;

/** Which names the case definitions give out; for those who refer to a definition and need none of what it says. */
public interface DefinitionNames {

    boolean hasDocument(String documentId);

    boolean hasRuleSet(String ruleSet);
}
