package io.arbitration.cases.definitions;

import java.util.List;
import java.util.Optional;

/**
 * A mail of a service of notice.
 *
 * @param userFields the images its sender may set; none where the input is JSON
 */
public record MailType(String id, String displayName, String description, InputType inputType, List<UserField> userFields) {
    /** What the sender gives to fill the mail. */
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
    }

    /** Where the capture of a web page goes: the first image field; empty for a mail type without attachments. */
    public Optional<UserField> attachmentArea() {
        return userFields.stream().findFirst();
    }

    /** The image field of that id; empty if the mail type has none. */
    public Optional<UserField> userField(String id) {
        return userFields.stream().filter(field -> field.id().equals(id)).findFirst();
    }
}
