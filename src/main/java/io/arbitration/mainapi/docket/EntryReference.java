package io.arbitration.mainapi.docket;

import java.util.UUID;

/**
 * A docket entry that a filing refers to.
 *
 * @param partyId party that filed it
 * @param rootEntryId first entry of the chain of replies; null when the entry is no reply
 */
public record EntryReference(UUID caseId, String partyId, Long rootEntryId, boolean superseded) {}
