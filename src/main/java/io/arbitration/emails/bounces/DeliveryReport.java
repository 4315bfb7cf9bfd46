package io.arbitration.emails.bounces;

import jakarta.mail.BodyPart;
import jakarta.mail.Header;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.ContentType;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * A report of a mail server on the delivery of a mail that it had accepted (RFC 3464), as far as it concerns a mail of this
 * platform.
 *
 * @param token of the copy that it concerns
 * @param failed whether the delivery has failed; false for a copy that is only delayed, or was delivered or relayed
 * @param status enhanced status code (RFC 3463); empty if there is none
 * @param reason in the words of the reporting server
 */
record DeliveryReport(UUID token, boolean failed, Optional<String> status, String reason) {

    static final int REASON_LENGTH_MAX = 500;
    /**
     * Headers with the address to which the report itself was delivered; the returned mail is text of its sender and is not read.
     */
    private static final Set<String> ADDRESSED = Set.of("to", "delivered-to", "x-original-to", "envelope-to", "x-envelope-to");
    private static final int PARTS_MAX = 10;
    private static final int STATUS_BYTES_MAX = 65_536;
    private static final Pattern STATUS = Pattern.compile("[245]\\.[0-9]{1,3}\\.[0-9]{1,3}");

    /** Empty for a message that is no such report, or concerns no mail of this platform. */
    static Optional<DeliveryReport> of(byte[] message, ReturnPath returnPath) {
        try {
            MimeMessage parsed = new MimeMessage(Session.getInstance(new Properties()), new ByteArrayInputStream(message));
            Optional<UUID> token = token(parsed, returnPath);
            ContentType type = new ContentType(parsed.getContentType());
            if (token.isEmpty() || !type.match("multipart/report") || !"delivery-status".equalsIgnoreCase(type.getParameter("report-type"))) {
                return Optional.empty();
            }
            return status(parsed).map(text -> of(token.get(), text));
        } catch (MessagingException | IOException | RuntimeException broken) {
            // Messages of strangers are malformed in many ways; the parser reports this by many exceptions.
            return Optional.empty();
        }
    }

    private static Optional<UUID> token(MimeMessage message, ReturnPath returnPath) throws MessagingException {
        for (Enumeration<Header> headers = message.getAllHeaders(); headers.hasMoreElements();) {
            Header header = headers.nextElement();
            if (ADDRESSED.contains(header.getName().toLowerCase(Locale.ROOT))) {
                Optional<UUID> token = returnPath.token(String.valueOf(header.getValue()));
                if (token.isPresent()) {
                    return token;
                }
            }
        }
        return Optional.empty();
    }

    /** The machine-readable part. */
    private static Optional<String> status(MimeMessage message) throws MessagingException, IOException {
        MimeMultipart parts = new MimeMultipart(message.getDataHandler().getDataSource());
        for (int i = 0; i < Math.min(parts.getCount(), PARTS_MAX); i++) {
            BodyPart part = parts.getBodyPart(i);
            if (part.isMimeType("message/delivery-status") || part.isMimeType("message/global-delivery-status")) {
                return Optional.of(new String(part.getDataHandler().getDataSource().getInputStream().readNBytes(STATUS_BYTES_MAX), StandardCharsets.UTF_8));
            }
        }
        return Optional.empty();
    }

    /** Each copy has one recipient, so the first group of fields with an action is about it. */
    private static DeliveryReport of(UUID token, String text) {
        String unfolded = text.replace("\r\n", "\n").replaceAll("\n[ \t]+", " ");
        for (String group : unfolded.split("\n[ \t]*\n")) {
            Map<String, String> fields = new HashMap<>();
            for (String line : group.split("\n")) {
                int colon = line.indexOf(':');
                if (colon > 0) {
                    fields.putIfAbsent(line.substring(0, colon).strip().toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
                }
            }
            if (fields.containsKey("action")) {
                Optional<String> status = STATUS.matcher(fields.getOrDefault("status", "")).results().map(found -> found.group()).findFirst();
                return new DeliveryReport(token, fields.get("action").toLowerCase(Locale.ROOT).startsWith("failed"), status, reason(fields, status));
            }
        }
        return new DeliveryReport(token, false, Optional.empty(), "");
    }

    private static String reason(Map<String, String> fields, Optional<String> status) {
        // "smtp; 550 5.1.1 no such mailbox": the words after the type.
        String diagnostic = fields.getOrDefault("diagnostic-code", "").replaceFirst("^[A-Za-z0-9-]+\\s*;\\s*", "");
        String said = diagnostic.isBlank() ? status.orElse("no reason was given") : diagnostic;
        String line = ("came back: " + said).replaceAll("[\\p{Cntrl}\\u0080-\\u009f\\s]+", " ").strip();
        return line.codePointCount(0, line.length()) <= REASON_LENGTH_MAX ? line : line.substring(0, line.offsetByCodePoints(0, REASON_LENGTH_MAX));
    }
}
