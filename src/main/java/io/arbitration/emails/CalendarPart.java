package io.arbitration.emails;

import io.arbitration.platform.answer.Refusal;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.Set;

/**
 * A calendar entry in an email (RFC 5545), which mail programs offer to add to the calendar of the recipient.
 *
 * @param method its purpose (RFC 5546): {@code REQUEST} or {@code CANCEL}
 */
public record CalendarPart(String method, String text) {

    private static final int TEXT_LENGTH_MAX = 100_000;
    private static final Set<String> METHODS = Set.of("REQUEST", "CANCEL");

    /**
     * The calendar entry of a request over the event bus, if it has one.
     *
     * @throws Refusal 400 that names the field
     */
    static Optional<CalendarPart> of(JsonObject body) {
        if (body.getValue("calendar") == null) {
            return Optional.empty();
        }
        if (!(body.getValue("calendar") instanceof JsonObject given) || !(given.getValue("method") instanceof String method) || !METHODS.contains(method)) {
            throw EmailsError.INVALID.refusal("calendar/method", "must be REQUEST or CANCEL");
        }
        if (!(given.getValue("text") instanceof String text) || !text.startsWith("BEGIN:VCALENDAR\r\n") || text.length() > TEXT_LENGTH_MAX) {
            throw EmailsError.INVALID.refusal("calendar/text", "must be a calendar of at most %d characters".formatted(TEXT_LENGTH_MAX));
        }
        return Optional.of(new CalendarPart(method, text));
    }
}
