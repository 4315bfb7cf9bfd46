package io.arbitration.emails;

import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.objects.Fingerprint;
import io.arbitration.platform.objects.ObjectAddress;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A file that is sent with an email. It stays where the requesting area stores it, and is verified when it is read.
 *
 * @param contentId by which the HTML refers to it ({@code cid:…}, RFC 2392); empty for a file that is only attached
 */
public record Attachment(Optional<String> contentId, String fileName, String contentType, Fingerprint fingerprint, ObjectAddress address) {

    static final int COUNT_MAX = 40;
    /** Of all files of an email: encoded, they stay below the 25 MB that mail servers commonly accept. */
    static final long BYTES_MAX = 16_777_216;
    private static final int FILE_NAME_LENGTH_MAX = 100;
    private static final Pattern CONTENT_ID = Pattern.compile("[A-Za-z0-9._-]{1,100}@[A-Za-z0-9.-]{1,100}");
    /** Names that need no encoding in a header. */
    private static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9 ._-]{0,%d}".formatted(FILE_NAME_LENGTH_MAX - 1));
    private static final Pattern CONTENT_TYPE = Pattern.compile("(application/pdf|image/png|image/jpeg)");

    /** The attachments of a request over the event bus; HTTP requests must not name objects. */
    static List<Attachment> of(JsonObject body) {
        JsonArray items = body.getJsonArray("attachments", new JsonArray());
        if (items.size() > COUNT_MAX) {
            throw wrong("", "at most %d entries".formatted(COUNT_MAX));
        }
        List<Attachment> attachments = new ArrayList<>();
        long bytes = 0;
        for (int i = 0; i < items.size(); i++) {
            Attachment attachment = of("/" + i, items.getJsonObject(i));
            attachments.add(attachment);
            bytes += attachment.fingerprint.bytes();
        }
        if (bytes > BYTES_MAX) {
            throw wrong("", "at most %d bytes together".formatted(BYTES_MAX));
        }
        return attachments;
    }

    private static Attachment of(String place, JsonObject item) {
        Optional<String> contentId = Optional.ofNullable(item.getString("contentID"));
        contentId.ifPresent(id -> matched(place + "/contentID", CONTENT_ID, id));
        ObjectAddress address = ObjectAddress.parse(item.getString("address", "")).orElseThrow(() -> wrong(place + "/address", "names no object"));
        try {
            Fingerprint fingerprint = new Fingerprint(item.getLong("bytes", -1L), item.getString("sha256", ""),
                    Buffer.buffer(Base64.getDecoder().decode(item.getString("blockHashes", ""))));
            return new Attachment(contentId, matched(place + "/fileName", FILE_NAME, item.getString("fileName", "")),
                    matched(place + "/contentType", CONTENT_TYPE, item.getString("contentType", "")), fingerprint, address);
        } catch (IllegalArgumentException noFingerprint) {
            throw wrong(place, "bytes, sha256 and blockHashes do not fit together");
        }
    }

    private static String matched(String place, Pattern form, String text) {
        if (!form.matcher(text).matches()) {
            throw wrong(place, "must match " + form);
        }
        return text;
    }

    private static Refusal wrong(String place, String what) {
        return EmailsError.INVALID.refusal("attachments" + place, what);
    }
}
