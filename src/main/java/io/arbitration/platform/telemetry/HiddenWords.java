package io.arbitration.platform.telemetry;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Takes a password out of what a server says, which may repeat what it was sent, before it is logged, stored or shown.
 *
 * @param forms of the password in the protocol
 */
public record HiddenWords(List<String> forms) {

    private static final String SHOWN = "***";

    /** The password as it is, and as the commands of a mail server take it (RFC 4616, one by one, and quoted as RFC 9051 has it). */
    public static HiddenWords of(String user, String password) {
        return new HiddenWords(Stream.of(base64("\0" + user + "\0" + password), base64(password), password.replace("\\", "\\\\").replace("\"", "\\\""), password).filter(form -> !form.isEmpty()).toList());
    }

    public static HiddenWords none() {
        return new HiddenWords(List.of());
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The text without them; empty for no text. */
    public String in(String text) {
        String shown = Optional.ofNullable(text).orElse("");
        for (String form : forms) {
            shown = shown.replace(form, SHOWN);
        }
        return shown;
    }
}
