package io.arbitration.profiles;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;

/** What a user or an organization publishes about itself. */
sealed interface Profile permits UserProfile, OrganizationProfile {

    /** The name of a member, encoded once: an answer has thousands of them. */
    SerializedString ID = new SerializedString("id");

    JsonFactory JSON = new JsonFactory();
    int BYTES_PER_PROFILE = 112;

    void write(JsonGenerator json) throws IOException;

    /** The answer {@code {profiles: […]}}, written directly as bytes, because it may have a thousand profiles. */
    static Buffer json(List<? extends Profile> profiles) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(32 + profiles.size() * BYTES_PER_PROFILE);
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartObject();
            json.writeArrayFieldStart("profiles");
            for (Profile profile : profiles) {
                json.writeStartObject();
                profile.write(json);
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        return Buffer.buffer(out.toByteArray());
    }
}
