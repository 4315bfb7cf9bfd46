package io.arbitration.mainapi.docket;

import java.util.Map;
import java.util.Optional;

/**
 * A docket entry with what its paper says beside it.
 *
 * @param supersededBy entry that took its place; null when none did
 * @param numbers of the entries that it refers to, by their ids
 */
public record PaperEntry(String caseTitle, DocketEntry entry, Long supersededBy, Map<Long, Integer> numbers) {

    /** The number of an entry that this one refers to; empty when it refers to none there. */
    Optional<Integer> number(Long entryId) {
        return Optional.ofNullable(entryId).map(numbers::get);
    }
}
