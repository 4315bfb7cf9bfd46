package io.arbitration.cases.definitions;

/** A kind of definition file; each has its own JSON Schema among the resources. */
enum DefinitionKind {
    PARTIES("parties"),
    PHASES("phases"),
    EVIDENCE("evidence"),
    MAIL_TYPES("mail-types"),
    DOCUMENT("document"),
    RULE_SET("rule-set");

    private final String schemaName;

    DefinitionKind(String schemaName) {
        this.schemaName = schemaName;
    }

    /** The class path of the schema. */
    String schemaResource() {
        return "/definitions-schema/" + schemaName + ".schema.json";
    }
}
