package io.arbitration.profiles;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.arbitration.domain.Identifiers;
import io.arbitration.platform.http.Call;
import io.arbitration.platform.http.Reply;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Up to a thousand profiles an answer, written straight to the bytes that are sent. */
final class ProfilesHandlers {

    private static final int BYTES_PER_PROFILE = 112;
    private static final JsonFactory JSON = new JsonFactory();

    private final ProfilesRepository repository;

    ProfilesHandlers(ProfilesRepository repository) {
        this.repository = repository;
    }

    Future<Reply> users(Call call) {
        return repository.publicUsers(known(call.texts("userIDs"))).map(ProfilesHandlers::reply);
    }

    Future<Reply> organizations(Call call) {
        return repository.publicOrganizations(known(call.texts("organizationIDs"))).map(ProfilesHandlers::reply);
    }

    /** Each id once, in the order of first mention. */
    private static Set<UUID> known(List<String> ids) {
        Set<UUID> known = LinkedHashSet.newLinkedHashSet(ids.size());
        for (String id : ids) {
            Identifiers.uuid(id).ifPresent(known::add);
        }
        return known;
    }

    private static Reply reply(List<? extends Profile> profiles) {
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
        return Reply.json(Buffer.buffer(out.toByteArray()));
    }
}
