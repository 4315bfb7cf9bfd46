package io.arbitration.mainapi.docket;

import io.arbitration.domain.EntryId;
import io.arbitration.domain.docket.DocketEntry;
import io.arbitration.domain.filing.FiledFile;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A docket entry, with the other facts that its PDF shows.
 *
 * @param supersededBy the entry that superseded it
 * @param numbers of the entries that it refers to, by their ids
 * @param files that were filed, in order
 * @param withheld whether it is sealed and withheld from the reader
 */
public record PaperEntry(
        String caseTitle, DocketEntry entry, Optional<EntryId> supersededBy, Map<EntryId, Integer> numbers, List<FiledFile> files, boolean withheld) {

    /** The number of an entry to which this one refers; empty without such a reference. */
    Optional<Integer> number(Optional<EntryId> entryId) {
        return entryId.map(numbers::get);
    }
}
