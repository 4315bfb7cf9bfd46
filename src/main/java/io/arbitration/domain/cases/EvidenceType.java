package io.arbitration.domain.cases;

import java.util.List;

/**
 * A category of evidence.
 *
 * @param contentTypes the media types that an upload of this category may have, in lower case
 */
public record EvidenceType(String id, String displayName, List<String> contentTypes) {
    public EvidenceType {
        contentTypes = List.copyOf(contentTypes);
    }
}
