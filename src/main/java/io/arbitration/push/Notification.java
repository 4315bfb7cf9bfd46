package io.arbitration.push;

import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * What arrives in the service worker: a JSON object with those of title, body, icon, url and data that were given.
 *
 * @param payload the object as UTF-8, at most {@link MessageEncryption#PLAIN_BYTES_MAX} bytes
 */
record Notification(byte[] payload) {

    private static final Set<String> TEXTS = Set.of("title", "body", "icon", "url");
    private static final Set<String> MEMBERS = Set.of("title", "body", "icon", "url", "data");

    /**
     * Takes what is to be shown from an object that may hold more.
     *
     * @throws io.arbitration.platform.answer.Refusal 400 for an icon or url that is not http(s), and for one that is too large
     * @throws ClassCastException when a member is of another type than the contract says
     */
    static Notification of(JsonObject given) {
        JsonObject shown = new JsonObject();
        given.forEach(member -> {
            if (MEMBERS.contains(member.getKey()) && member.getValue() != null) {
                shown.put(member.getKey(), TEXTS.contains(member.getKey()) ? (String) member.getValue() : given.getJsonObject(member.getKey()));
            }
        });
        checkAddress("icon", shown.getString("icon"));
        checkAddress("url", shown.getString("url"));
        byte[] payload = shown.encode().getBytes(StandardCharsets.UTF_8);
        int over = payload.length - MessageEncryption.PLAIN_BYTES_MAX;
        if (over > 0) {
            throw PushError.TOO_LARGE.refusal(payload.length, over, MessageEncryption.PLAIN_BYTES_MAX);
        }
        return new Notification(payload);
    }

    /** The browser opens it, not the platform, so it may lead anywhere; a script or a file of the reader's it must not be. */
    private static void checkAddress(String name, String address) {
        boolean web = address == null || address.matches("(?i)https?://[^\\s/?#]+([/?#]\\S*)?");
        if (!web) {
            throw PushError.NOT_WEB.refusal(name);
        }
    }
}
