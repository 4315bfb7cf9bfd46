package io.arbitration.platform.reading;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Decodes text: by its byte order mark, else by the declared charset, else as UTF-8. Refuses bytes that are invalid in that charset, instead of guessing another one. */
final class PlainText {

    private static final Pattern CHARSET = Pattern.compile(";\\s*charset=\"?([A-Za-z0-9_.:-]{1,40})\"?", Pattern.CASE_INSENSITIVE);

    private PlainText() {}

    static String read(byte[] bytes, String contentType) {
        Charset charset = byteOrderMark(bytes).or(() -> declared(contentType)).orElse(StandardCharsets.UTF_8);
        try {
            String text = charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            if (text.indexOf('\0') >= 0) {
                throw new Unreadable(Unreadable.Reason.TYPE_MISMATCH);
            }
            return text.startsWith("\ufeff") ? text.substring(1) : text;
        } catch (CharacterCodingException wrong) {
            throw new Unreadable(Unreadable.Reason.CORRUPT);
        }
    }

    /** @throws Unreadable when the media type names a charset that the JDK does not have */
    static Optional<Charset> declared(String contentType) {
        Matcher matcher = CHARSET.matcher(contentType);
        if (!matcher.find()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Charset.forName(matcher.group(1)));
        } catch (IllegalCharsetNameException | UnsupportedCharsetException unknown) {
            throw new Unreadable(Unreadable.Reason.UNKNOWN_TYPE);
        }
    }

    private static Optional<Charset> byteOrderMark(byte[] bytes) {
        if (bytes.length >= 3 && bytes[0] == (byte) 0xef && bytes[1] == (byte) 0xbb && bytes[2] == (byte) 0xbf) {
            return Optional.of(StandardCharsets.UTF_8);
        }
        if (bytes.length >= 2 && bytes[0] == (byte) 0xfe && bytes[1] == (byte) 0xff) {
            return Optional.of(StandardCharsets.UTF_16BE);
        }
        if (bytes.length >= 2 && bytes[0] == (byte) 0xff && bytes[1] == (byte) 0xfe) {
            return Optional.of(StandardCharsets.UTF_16LE);
        }
        return Optional.empty();
    }
}
