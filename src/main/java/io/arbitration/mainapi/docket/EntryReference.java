package io.arbitration.mainapi.docket;

import java.util.UUID;

/**
 * A docket entry that a filing refers to.
 *
 * @param rootEntryId first entry of the chain of replies; null when the entry is no reply
 */
public record EntryReference(UUID caseId, Long rootEntryId, boolean superseded) {}
