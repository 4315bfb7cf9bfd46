package io.arbitration.ai.prompts;

import java.util.Optional;

/** What to change of a prompt; an absent value stays as it is. */
record PromptChange(
        Optional<String> text, Optional<Boolean> active, Optional<Boolean> triggerOnDocket, Optional<Boolean> triggerOnDraft,
        Optional<Boolean> includeEvidence, Optional<Boolean> includeFullCase) {}
