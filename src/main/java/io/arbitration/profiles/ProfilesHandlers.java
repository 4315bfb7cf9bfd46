package io.arbitration.profiles;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.arbitration.domain.Identifiers;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.answer.Reply;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Up to a thousand profiles an answer, written straight to the bytes that are sent. */
final class ProfilesHandlers {

    private static final int BYTES_PER_PROFILE = 112;
    private static final int IDS_MAX = 1000;
    private static final Logger LOG = LoggerFactory.getLogger(ProfilesHandlers.class);
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

    /** Answers a request at {@link io.arbitration.platform.events.Addresses#PROFILES_USERS}. */
    void askedForUsers(Message<JsonObject> message) {
        answer(message, "userIDs", repository::publicUsers);
    }

    /** Answers a request at {@link io.arbitration.platform.events.Addresses#PROFILES_ORGANIZATIONS}. */
    void askedForOrganizations(Message<JsonObject> message) {
        answer(message, "organizationIDs", repository::publicOrganizations);
    }

    private static void answer(Message<JsonObject> message, String field, Function<Set<UUID>, ? extends Future<? extends List<? extends Profile>>> look) {
        Optional<List<String>> ids = texts(message.body().getValue(field));
        if (ids.isEmpty()) {
            message.fail(HttpResponseStatus.BAD_REQUEST.code(), "%s: must be an array of at most %d texts".formatted(field, IDS_MAX));
            return;
        }
        look.apply(known(ids.get())).onComplete(profiles -> message.reply(json(profiles).toJsonObject()), failed -> {
            boolean later = Database.isUnavailable(failed) || Database.isOverloaded(failed);
            LOG.warn("profiles: a request over the event bus was not answered: {}", failed.getMessage(), later ? null : failed);
            message.fail((later ? HttpResponseStatus.SERVICE_UNAVAILABLE : HttpResponseStatus.INTERNAL_SERVER_ERROR).code(), "profiles could not be read");
        });
    }

    /** What the contract looks at over HTTP. */
    private static Optional<List<String>> texts(Object value) {
        return value instanceof JsonArray items && items.size() <= IDS_MAX && items.stream().allMatch(String.class::isInstance)
                ? Optional.of(items.stream().map(String.class::cast).toList())
                : Optional.empty();
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
        return Reply.json(json(profiles));
    }

    private static Buffer json(List<? extends Profile> profiles) {
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
