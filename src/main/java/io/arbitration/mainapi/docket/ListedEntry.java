package io.arbitration.mainapi.docket;

import io.arbitration.domain.EntryId;
import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.docket.DocketEntry;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/** An entry as docket lists show it. It has the plain values of its row, because lists are long and no rule reads them. */
record ListedEntry(
        long entryId, int number, OffsetDateTime enteredAt, UUID userId, Optional<UUID> organizationId, String phaseId, String documentId,
        String partyId, long filingId, String title, Optional<Long> supersedes, Optional<Details> details) {

    /**
     * What a list shows of an entry on request.
     *
     * @param parentEntryId the entry that it answers; empty where the entry is withheld
     * @param files how many were filed; empty where the entry is withheld
     */
    record Details(Optional<Long> parentEntryId, OptionalInt files, boolean isSealed) {}

    /** An entry that is not sealed. */
    static ListedEntry of(DocketEntry entry) {
        return new ListedEntry(entry.entryId().value(), entry.number(), entry.enteredAt().atOffset(ZoneOffset.UTC), entry.userId().value(),
                entry.organizationId().map(OrganizationId::value), entry.phaseId().value(), entry.documentTypeId().value(), entry.partyId().value(),
                entry.filingId().value(), entry.title(), entry.supersedes().map(EntryId::value), Optional.empty());
    }
}
