package io.arbitration.ai.context;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * Instructions of the platform for the model, in a file that is named by its version. A version that was ever used is not changed,
 * because records refer to it.
 *
 * @param name and version, e.g. {@code award.1}
 */
public record PromptText(String name, String text) {

    public static PromptText read(String name) {
        try (InputStream in = PromptText.class.getResourceAsStream("/ai/%s.txt".formatted(name))) {
            return new PromptText(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    public String with(String place, String value) {
        return text.replace("{" + place + "}", value);
    }
}
