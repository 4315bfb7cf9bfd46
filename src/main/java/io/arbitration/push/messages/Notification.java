package io.arbitration.push.messages;

import io.arbitration.push.encryption.MessageEncryption;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The content for the service worker: a JSON object with those of title, body, icon, url and data that were given.
 *
 * @param payload the object as UTF-8, at most {@link MessageEncryption#PLAIN_BYTES_MAX} bytes
 */
public record Notification(byte[] payload) {

    private static final Pattern WEB = Pattern.compile("(?i)https?://[^\\s\\\\/?#]+([/?#]\\S*)?");
    /**
     * A relative reference (RFC 3986, section 4.2): no colon before the first slash, and no form that browsers interpret as
     * absolute.
     */
    private static final Pattern RELATIVE = Pattern.compile("(?U)(?!//)(?:[/?#]|[^\\s\\\\:/?#\\p{Cntrl}]+(?:[/?#]|$))[^\\s\\\\\\p{Cntrl}]*");
    private static final Set<String> TEXTS = Set.of("title", "body", "icon", "url");
    private static final Set<String> MEMBERS = Set.of("title", "body", "icon", "url", "data");

    /**
     * Reads a notification from an object that may have other members too.
     *
     * @throws io.arbitration.platform.answer.Refusal 400 for an icon or url that is neither http(s) nor relative, and for one
     * that is too large
     * @throws ClassCastException if a member has another type than in the contract
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
            throw SendError.TOO_LARGE.refusal(payload.length, over, MessageEncryption.PLAIN_BYTES_MAX);
        }
        return new Notification(payload);
    }

    /**
     * The browser opens the address, not the platform, so any web address is allowed; scripts and local files of the reader are
     * not.
     */
    private static void checkAddress(String name, String address) {
        if (address != null && !WEB.matcher(address).matches() && !RELATIVE.matcher(address).matches()) {
            throw SendError.NOT_WEB.refusal(name);
        }
    }
}
