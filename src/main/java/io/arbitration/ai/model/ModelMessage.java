package io.arbitration.ai.model;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A message of a conversation with the model. */
public record ModelMessage(Role role, List<Part> parts) {

    public enum Role {
        SYSTEM, USER, ASSISTANT;

        String wireName() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** What a message is made of. */
    public sealed interface Part {

        record Text(String text) implements Part {}

        /** @param contentType {@code image/png} or another that models take */
        record Image(String contentType, byte[] bytes) implements Part {}
    }

    public static ModelMessage of(Role role, String text) {
        return new ModelMessage(role, List.of(new Part.Text(text)));
    }

    /** Joins adjacent texts into one, because some servers accept no message of several parts. */
    public static ModelMessage ofParts(Role role, List<Part> all) {
        List<Part> parts = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (Part part : all) {
            switch (part) {
                case Part.Text(String words) -> text.append(words).append('\n');
                case Part.Image image -> {
                    parts.add(new Part.Text(text.toString()));
                    text.setLength(0);
                    parts.add(image);
                }
            }
        }
        if (!text.isEmpty()) {
            parts.add(new Part.Text(text.toString()));
        }
        return new ModelMessage(role, parts);
    }

    /** A message of one text is sent as a string, which every server accepts; a message with images is sent as parts. */
    JsonObject json() {
        JsonObject message = new JsonObject().put("role", role.wireName());
        if (parts.size() == 1 && parts.getFirst() instanceof Part.Text(String text)) {
            return message.put("content", text);
        }
        return message.put("content", new JsonArray(parts.stream().map(ModelMessage::json).toList()));
    }

    private static JsonObject json(Part part) {
        return switch (part) {
            case Part.Text(String text) -> new JsonObject().put("type", "text").put("text", text);
            case Part.Image(String contentType, byte[] bytes) -> new JsonObject().put("type", "image_url").put("image_url",
                    new JsonObject().put("url", "data:%s;base64,%s".formatted(contentType, Base64.getEncoder().encodeToString(bytes))));
        };
    }
}
