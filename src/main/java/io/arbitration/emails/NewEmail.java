package io.arbitration.emails;

import io.arbitration.domain.text.Mailbox;
import io.arbitration.platform.answer.Refusal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request to send an email. It arrives over HTTP, where the contract was checked, or over the event bus, where it was not. So
 * all bounds are checked here.
 *
 * @param to each address once
 * @param attachments in order; none over HTTP
 * @param calendar an entry for the calendar of the recipients; none over HTTP
 * @param reminded the deadline of a reminder; none over HTTP
 * @param isHeld whether it is stored but not sent, even if a mail server is configured; never over HTTP
 */
record NewEmail(String idempotencyKey, List<Mailbox> to, Content content, List<Attachment> attachments, Optional<CalendarPart> calendar,
        Optional<RemindedDeadline> reminded, boolean isHeld) {

    static final int RECIPIENTS_MAX = 100;
    static final int SUBJECT_LENGTH_MAX = 500;
    private static final int KEY_LENGTH_MAX = 200;
    private static final int HTML_LENGTH_MAX = 500_000;
    private static final int NAME_LENGTH_MAX = 60;

    /** The content: written by the sender, or made from a template. */
    sealed interface Content {

        record Written(String subject, String html) implements Content {}

        /** @param subject replaces the subject of the template */
        record FromTemplate(Optional<String> subject, String template, JsonObject values) implements Content {}
    }

    /** @throws Refusal 400 that names the field */
    static NewEmail of(JsonObject body) {
        String key = text(body, "idempotencyKey", KEY_LENGTH_MAX).orElseThrow(() -> wrong("idempotencyKey", "is required"));
        Optional<String> subject = text(body, "subject", SUBJECT_LENGTH_MAX).map(NewEmail::subject);
        return new NewEmail(key, recipients(body.getValue("to")), content(body, subject), List.of(), Optional.empty(), Optional.empty(), false);
    }

    /**
     * The request of another area. It may also attach files of the object store and a calendar entry, name a deadline, and have the email
     * held.
     */
    static NewEmail ofArea(JsonObject body) {
        NewEmail email = of(body);
        return new NewEmail(email.idempotencyKey, email.to, email.content, Attachment.of(body), CalendarPart.of(body), RemindedDeadline.of(body),
                Boolean.TRUE.equals(body.getValue("hold")));
    }

    private static Content content(JsonObject body, Optional<String> subject) {
        Optional<String> html = text(body, "html", HTML_LENGTH_MAX);
        Optional<String> template = text(body, "template", NAME_LENGTH_MAX);
        if (html.isPresent() == template.isPresent()) {
            throw wrong("body", "give either html, or template and data");
        }
        if (html.isPresent()) {
            if (body.containsKey("data")) {
                throw wrong("data", "belongs to a template");
            }
            return new Content.Written(subject.orElseThrow(() -> wrong("subject", "is required beside html")), html.get());
        }
        Object values = body.getValue("data", new JsonObject());
        if (values instanceof JsonObject object) {
            return new Content.FromTemplate(subject, template.get(), object);
        }
        throw wrong("data", "must be an object");
    }

    /** Refuses control characters: after a line break in the subject, a sender could add any header. */
    static String subject(String text) {
        if (text.chars().anyMatch(Character::isISOControl)) {
            throw wrong("subject", "must not contain line breaks or other control characters");
        }
        return text;
    }

    private static List<Mailbox> recipients(Object value) {
        if (!(value instanceof JsonArray items) || items.isEmpty()) {
            throw wrong("to", value == null ? "is required" : "must be an array with an entry");
        }
        if (items.size() > RECIPIENTS_MAX) {
            throw wrong("to", "at most %d entries".formatted(RECIPIENTS_MAX));
        }
        Map<String, Mailbox> once = new LinkedHashMap<>();
        for (int i = 0; i < items.size(); i++) {
            Mailbox mailbox = mailbox("to/" + i, items.getValue(i));
            once.putIfAbsent(mailbox.address(), mailbox);
        }
        return List.copyOf(once.values());
    }

    private static Mailbox mailbox(String place, Object value) {
        if (!(value instanceof String text)) {
            throw wrong(place, "must be a string");
        }
        try {
            return Mailbox.parse(text);
        } catch (IllegalArgumentException broken) {
            throw wrong(place, broken.getMessage());
        }
    }

    private static Optional<String> text(JsonObject body, String name, int lengthMax) {
        return switch (body.getValue(name)) {
            case null -> Optional.empty();
            case String text when text.isEmpty() -> throw wrong(name, "at least 1 character");
            case String text when text.codePointCount(0, text.length()) > lengthMax -> throw wrong(name, "at most %d characters".formatted(lengthMax));
            case String text -> Optional.of(text);
            default -> throw wrong(name, "must be a string");
        };
    }

    private static Refusal wrong(String place, String what) {
        return EmailsError.INVALID.refusal(place, what);
    }
}
