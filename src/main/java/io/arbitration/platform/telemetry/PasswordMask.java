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
public record PasswordMask(List<String> forms) {

    private static final String SHOWN = "***";

    /** The password as it is, and as the commands of a mail server take it (RFC 4616, one by one, and quoted as RFC 9051 has it). */
    public static PasswordMask of(String user, String password) {
        return new PasswordMask(Stream.of(base64("\0" + user + "\0" + password), base64(password), password.replace("\\", "\\\\").replace("\"", "\\\""), password).filter(form -> !form.isEmpty()).toList());
    }

    public static PasswordMask none() {
        return new PasswordMask(List.of());
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The text with *** in place of the password; empty for no text. */
    public String mask(String text) {
        String shown = Optional.ofNullable(text).orElse("");
        for (String form : forms) {
            shown = shown.replace(form, SHOWN);
        }
        return shown;
    }
}
