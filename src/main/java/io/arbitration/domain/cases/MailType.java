package io.arbitration.domain.cases;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A mail of a service of notice.
 *
 * @param userFields the images its sender may set; none where the input is JSON
 * @param fields what its sender gives as JSON; none where the input is files
 */
public record MailType(
        String id, String displayName, String description, InputType inputType, List<UserField> userFields, List<Field> fields) {
    /** The mail type by which a hearing is served. */
    public static final String HEARING = "hearingNotice";
    /** Its fields that a hearing fills. */
    private static final Set<String> GIVEN_BY_HEARING = Set.of("hearingDate", "hearingTime", "timeZone", "place", "videoUrl");

    /** The kind of input with which the sender fills the mail. */
    public enum InputType {
        FILES("files"),
        JSON("json");

        private final String wireName;

        InputType(String wireName) {
            this.wireName = wireName;
        }

        /** The name of the input type in the interface. */
        public String wireName() {
            return wireName;
        }
    }

    public MailType {
        userFields = List.copyOf(userFields);
        fields = List.copyOf(fields);
    }

    /**
     * The size of a capture of a web page for this mail type: its largest image field, the first of equal ones; empty without
     * image fields.
     */
    public Optional<UserField> attachmentArea() {
        return userFields.stream().reduce((largest, field) -> field.pixels() > largest.pixels() ? field : largest);
    }

    /**
     * The problems with the JSON of a mail, one sentence each ({@code json/hearingDate: is required}), in the order of the
     * fields; then the first twenty unknown fields by name.
     */
    public List<String> problems(Map<String, Object> values) {
        return FieldProblems.of("json", fields, id, values, true);
    }

    /** Whether a hearing can be served by it. */
    public boolean isOfHearing() {
        return id.equals(HEARING);
    }

    /** The fields of the mail that the sender omits for a hearing, because the hearing fills them. */
    public List<String> givenByHearing() {
        return fields.stream().map(Field::id).filter(GIVEN_BY_HEARING::contains).toList();
    }

    /** The same as {@link #problems}, for the values given in addition to a hearing. */
    public List<String> problemsBesideHearing(Map<String, Object> values) {
        return FieldProblems.of("json", fields.stream().filter(field -> !GIVEN_BY_HEARING.contains(field.id())).toList(), id, values, true);
    }

    /** The image field with that ID; empty if the mail type has none. */
    public Optional<UserField> userField(String id) {
        return userFields.stream().filter(field -> field.id().equals(id)).findFirst();
    }
}
