package io.arbitration.domain.cases;

import java.util.List;

/**
 * A group of fields under one heading.
 *
 * @param sortOrder its place in the document, from 1
 */
public record Section(String displayName, String description, int sortOrder, List<Field> fields) {
    public Section {
        fields = List.copyOf(fields);
    }
}
