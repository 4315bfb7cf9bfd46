package io.arbitration.emails;

import io.arbitration.domain.Mailbox;
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
 * The message of an email (RFC 5322, RFC 2045): ASCII alone, no line over 78 characters, and a function of the email alone,
 * so that a second sending has the same bytes and the same Message-ID. Texts travel as Base64, the one encoding in
 * which line ends arrive as they were.
 *
 * @param headers folded with CRLF
 * @param body lines that end with LF; the client makes CRLF of it
 */
record MimeMessage(Map<String, String> headers, String body) {

    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("EEE, d MMM uuuu HH:mm:ss Z", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final Base64.Encoder BASE64 = Base64.getMimeEncoder(76, new byte[] {'\n'});
    /** Bytes of one encoded word: 60 characters with its frame, so that no line with the name of a header exceeds the 76 of RFC 2047. */
    private static final int WORD_BYTES_MAX = 36;
    private static final int PLAIN_LENGTH_MAX = 60;
    private static final String FOLD = "\r\n ";

    static MimeMessage of(AcceptedEmail email) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Date", date(email.acceptedAt()));
        headers.put("From", mailbox(email.from()));
        headers.put("To", email.to().stream().map(MimeMessage::mailbox).collect(Collectors.joining("," + FOLD)));
        headers.put("Subject", unstructured(email.content().subject()));
        headers.put("Message-ID", messageId(email));
        headers.put("MIME-Version", "1.0");
        // RFC 3834: no holiday notice answers it.
        headers.put("Auto-Submitted", "auto-generated");
        String html = BASE64.encodeToString(email.content().html().getBytes(StandardCharsets.UTF_8));
        if (email.content().text().isEmpty()) {
            headers.put("Content-Type", "text/html; charset=utf-8");
            headers.put("Content-Transfer-Encoding", "base64");
            return new MimeMessage(headers, html + "\n");
        }
        // Base64 holds no "=_", so the boundary appears in no part.
        String boundary = "=_" + email.id();
        headers.put("Content-Type", "multipart/alternative;" + FOLD + "boundary=\"" + boundary + "\"");
        String text = BASE64.encodeToString(email.content().text().get().getBytes(StandardCharsets.UTF_8));
        return new MimeMessage(headers, part(boundary, "plain", text) + part(boundary, "html", html) + "--" + boundary + "--\n");
    }

    /** The same at every attempt: a recipient that has it already can tell. */
    static String messageId(AcceptedEmail email) {
        return "<%s@%s>".formatted(email.id(), email.from().domain());
    }

    private static String part(String boundary, String subtype, String base64) {
        return "--%s\nContent-Type: text/%s; charset=utf-8\nContent-Transfer-Encoding: base64\n\n%s\n".formatted(boundary, subtype, base64);
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

    /** Short printable ASCII that nobody could take for an encoded word, and whose spaces no folding could lose. */
    private static boolean isPlain(String text) {
        return text.length() <= PLAIN_LENGTH_MAX && text.chars().allMatch(c -> c >= ' ' && c < 127) && !text.contains("=?") && text.equals(text.strip());
    }

    /** RFC 2047; no character is cut in two, as section 5 asks. */
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
