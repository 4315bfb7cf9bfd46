package io.arbitration.profiles;

import io.arbitration.platform.answer.JsonBytes;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What a user or an organization publishes about itself. */
sealed interface Profile permits UserProfile, OrganizationProfile {

    int BYTES_PER_PROFILE = 112;
    byte[] HEAD = ascii("{\"profiles\":[");
    byte[] TAIL = ascii("]}");
    byte[] COMMA = ascii(",");
    byte[] ID = ascii("{\"id\":");
    byte[] END = ascii("}");

    void write(JsonBytes json);

    /** The answer {@code {profiles: […]}}, written directly as bytes, because it may have a thousand profiles. */
    static Buffer json(List<? extends Profile> profiles) {
        JsonBytes json = new JsonBytes(32 + profiles.size() * BYTES_PER_PROFILE).raw(HEAD);
        boolean any = false;
        for (Profile profile : profiles) {
            if (any) {
                json.raw(COMMA);
            }
            any = true;
            profile.write(json);
        }
        return json.raw(TAIL).toBuffer();
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
