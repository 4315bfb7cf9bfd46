package io.arbitration.ai.prompts;

import java.time.Instant;

/** How documents of a type, in cases under a rule set, are analysed. */
record Prompt(long id, Instant created, Instant updated, String documentID, String ruleSet, String text, Flags flags) {

    /** When a prompt runs and what it is given. */
    record Flags(boolean active, boolean triggerOnDocket, boolean triggerOnDraft, boolean includeEvidence, boolean includeFullCase) {}
}
