package io.arbitration.emails.smtp;

import io.arbitration.domain.text.Mailbox;
import io.arbitration.emails.AcceptedEmail;
import io.arbitration.emails.Attachment;
import io.arbitration.emails.CalendarPart;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The message of an email (RFC 5322, RFC 2045): only ASCII, no line over 78 characters, and a function of the email, so that a
 * second sending has the same bytes and the same Message-ID. Texts are encoded as Base64, the only encoding in which line ends
 * arrive unchanged.
 *
 * @param headers folded with CRLF
 * @param body lines that end with LF; the client converts them to CRLF
 */
record MimeMessage(Map<String, String> headers, String body) {

    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("EEE, d MMM uuuu HH:mm:ss Z", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final Base64.Encoder BASE64 = Base64.getMimeEncoder(76, new byte[] {'\n'});
    /**
     * Bytes of one encoded word: 60 characters with its frame, so that no line with the name of a header exceeds the 76 of RFC
     * 2047.
     */
    private static final int WORD_BYTES_MAX = 36;
    private static final int PLAIN_LENGTH_MAX = 60;
    private static final String FOLD = "\r\n ";

    /** @param attached content of the attachments, in their order */
    static MimeMessage of(AcceptedEmail email, List<Buffer> attached) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Date", date(email.acceptedAt()));
        headers.put("From", mailbox(email.from()));
        headers.put("To", email.to().stream().map(MimeMessage::mailbox).collect(Collectors.joining("," + FOLD)));
        headers.put("Subject", unstructured(email.content().subject()));
        headers.put("Message-ID", messageId(email));
        headers.put("MIME-Version", "1.0");
        // RFC 3834: suppresses automatic replies.
        headers.put("Auto-Submitted", "auto-generated");
        Part whole = whole(email, attached);
        headers.putAll(whole.headers);
        return new MimeMessage(headers, whole.body);
    }

    /** A part of the message, or all of it: its own headers and its body, which ends with LF. */
    private record Part(Map<String, String> headers, String body) {

        static Part of(String contentType, byte[] content) {
            Map<String, String> headers = new LinkedHashMap<>();
            headers.put("Content-Type", contentType);
            headers.put("Content-Transfer-Encoding", "base64");
            return new Part(headers, BASE64.encodeToString(content) + "\n");
        }

        static Part text(String subtype, String text) {
            return of("text/" + subtype + "; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
        }

        static Part calendar(CalendarPart calendar) {
            return of("text/calendar; charset=utf-8;" + FOLD + "method=" + calendar.method(), calendar.text().getBytes(StandardCharsets.UTF_8));
        }

        static Part attached(Attachment attachment, Buffer content) {
            Part part = of(attachment.contentType() + ";" + FOLD + "name=\"" + attachment.fileName() + "\"", content.getBytes());
            part.headers.put("Content-Disposition", (attachment.contentId().isPresent() ? "inline;" : "attachment;")
                    + FOLD + "filename=\"" + attachment.fileName() + "\"");
            attachment.contentId().ifPresent(id -> part.headers.put("Content-ID", "<" + id + ">"));
            return part;
        }

        /** Base64 contains no "=_", so the boundary appears in no part; no boundary of nested parts is the prefix of another. */
        static Part several(String subtype, String boundary, List<Part> parts) {
            StringBuilder body = new StringBuilder();
            for (Part part : parts) {
                body.append("--").append(boundary).append('\n');
                part.headers.forEach((name, value) -> body.append(name).append(": ").append(value.replace("\r\n", "\n")).append('\n'));
                body.append('\n').append(part.body);
            }
            body.append("--").append(boundary).append("--\n");
            Map<String, String> headers = new LinkedHashMap<>();
            headers.put("Content-Type", "multipart/" + subtype + ";" + FOLD + "boundary=\"" + boundary + "\"");
            return new Part(headers, body.toString());
        }
    }

    /** The text in its forms; around it the related content of the HTML; around that the attachments. */
    private static Part whole(AcceptedEmail email, List<Buffer> attached) {
        List<Part> shown = new ArrayList<>();
        List<Part> beside = new ArrayList<>();
        for (int i = 0; i < attached.size(); i++) {
            Attachment attachment = email.attachments().get(i);
            (attachment.contentId().isPresent() ? shown : beside).add(Part.attached(attachment, attached.get(i)));
        }
        String boundary = "=_" + email.id();
        Part html = Part.text("html", email.content().html());
        List<Part> forms = new ArrayList<>();
        email.content().text().ifPresent(plain -> forms.add(Part.text("plain", plain)));
        forms.add(html);
        // The last form is preferred (RFC 2046, section 5.1.4): mail programs with a calendar offer to add the entry.
        email.calendar().ifPresent(calendar -> forms.add(Part.calendar(calendar)));
        Part text = forms.size() == 1 ? html : Part.several("alternative", boundary, forms);
        if (!shown.isEmpty()) {
            shown.addFirst(text);
            // The type of the first part, which RFC 2387 requires.
            String root = text.headers.get("Content-Type").split(";")[0];
            text = Part.several("related; type=\"" + root + "\"", "=_r" + email.id(), shown);
        }
        if (!beside.isEmpty()) {
            beside.addFirst(text);
            text = Part.several("mixed", "=_m" + email.id(), beside);
        }
        return text;
    }

    /** The same at every attempt, so that the recipient's mail server can recognise a repetition. */
    static String messageId(AcceptedEmail email) {
        return "<%s@%s>".formatted(email.id(), email.from().domain());
    }

    private static String date(Instant at) {
        return DATE.format(at);
    }

    private static String mailbox(Mailbox mailbox) {
        return mailbox.name().isEmpty() ? mailbox.address() : phrase(mailbox.name()) + FOLD + "<" + mailbox.address() + ">";
    }

    private static String phrase(String name) {
        return isPlain(name) ? "\"" + name.replace("\\", "\\\\").replace("\"", "\\\"") + "\"" : encodedWords(name);
    }

    private static String unstructured(String text) {
        return isPlain(text) ? text : encodedWords(text);
    }

    /** Short printable ASCII that cannot be taken for an encoded word, and whose spaces survive folding. */
    private static boolean isPlain(String text) {
        return text.length() <= PLAIN_LENGTH_MAX && text.chars().allMatch(c -> c >= ' ' && c < 127) && !text.contains("=?") && text.equals(text.strip());
    }

    /** RFC 2047; no character is split, as section 5 requires. */
    private static String encodedWords(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        int bytes = 0;
        for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
            String character = Character.toString(text.codePointAt(at));
            int more = character.getBytes(StandardCharsets.UTF_8).length;
            if (bytes + more > WORD_BYTES_MAX) {
                words.add(encodedWord(word));
                word.setLength(0);
                bytes = 0;
            }
            word.append(character);
            bytes += more;
        }
        words.add(encodedWord(word));
        return String.join(FOLD, words);
    }

    private static String encodedWord(CharSequence text) {
        return "=?UTF-8?B?" + Base64.getEncoder().encodeToString(text.toString().getBytes(StandardCharsets.UTF_8)) + "?=";
    }
}
