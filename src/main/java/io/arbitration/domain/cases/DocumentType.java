package io.arbitration.domain.cases;

import io.arbitration.domain.DocumentTypeId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A kind of document that can be filed: its sections and fields, in their order. */
public final class DocumentType {
    private final DocumentTypeId id;
    private final String displayName;
    private final String description;
    private final List<Section> sections;
    private final FileRule files;
    private final Map<String, Field> fields;

    /** With the default rule for files. */
    public DocumentType(DocumentTypeId id, String displayName, String description, List<Section> sections) {
        this(id, displayName, description, sections, FileRule.USUAL);
    }

    /** Fails with IllegalArgumentException if two fields have the same ID. */
    public DocumentType(DocumentTypeId id, String displayName, String description, List<Section> sections, FileRule files) {
        this.id = id;
        this.displayName = displayName;
        this.description = description;
        this.sections = List.copyOf(sections);
        this.files = files;
        Map<String, Field> byId = new LinkedHashMap<>();
        for (Section section : this.sections) {
            for (Field field : section.fields()) {
                if (byId.put(field.id(), field) != null) {
                    throw new IllegalArgumentException("two fields of " + id + " are called " + field.id());
                }
            }
        }
        this.fields = byId;
    }

    public DocumentTypeId id() {
        return id;
    }

    public String displayName() {
        return displayName;
    }

    public String description() {
        return description;
    }

    public List<Section> sections() {
        return sections;
    }

    public FileRule files() {
        return files;
    }

    /** The field with that ID in any section; empty if the document has none. */
    public Optional<Field> field(String fieldID) {
        return Optional.ofNullable(fields.get(fieldID));
    }

    /** The fields of all sections, in order. */
    public Stream<Field> fields() {
        return fields.values().stream();
    }

    /**
     * The problems with the fields of a filing, one sentence each ({@code fields/claimAmount: is required}), in the order of the
     * document; then the first twenty unknown fields by name.
     *
     * <p>Type and maximum length are checked for every given value; a blank one may be shorter than the minimum.
     *
     * @param values field ID to value: a string, or a boolean or number where the type of the field allows it
     * @param complete whether required fields must be filled: false for a draft, true for a submission
     */
    public List<String> problems(Map<String, Object> values, boolean complete) {
        return FieldProblems.of("fields", fields.values(), id.value(), values, complete);
    }
}
