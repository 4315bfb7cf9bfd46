package io.arbitration.domain.cases;

/** The names in the case definitions, for code that refers to a definition without using its content. */
public interface DefinitionNames {

    boolean hasDocument(String documentId);

    boolean hasRuleSet(String ruleSet);
}
