package io.arbitration.profiles;

import io.arbitration.platform.db.Database;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.Future;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Requests for profiles over the event bus, at {@code profiles.users} and {@code profiles.organizations}. */
final class ProfileRequests {

    private static final int IDS_MAX = 1000;
    private static final Logger LOG = LoggerFactory.getLogger(ProfileRequests.class);

    private final ProfilesService service;

    ProfileRequests(ProfilesService service) {
        this.service = service;
    }

    /** Answers a request at {@link io.arbitration.platform.events.Addresses#PROFILES_USERS}. */
    void users(Message<JsonObject> message) {
        answer(message, "userIDs", service::users);
    }

    /** Answers a request at {@link io.arbitration.platform.events.Addresses#PROFILES_ORGANIZATIONS}. */
    void organizations(Message<JsonObject> message) {
        answer(message, "organizationIDs", service::organizations);
    }

    private static void answer(Message<JsonObject> message, String field, Function<List<String>, ? extends Future<? extends List<? extends Profile>>> look) {
        Optional<List<String>> ids = texts(message.body().getValue(field));
        if (ids.isEmpty()) {
            message.fail(HttpResponseStatus.BAD_REQUEST.code(), "%s: must be an array of at most %d texts".formatted(field, IDS_MAX));
            return;
        }
        look.apply(ids.get()).onComplete(profiles -> message.reply(Profile.json(profiles).toJsonObject()), failed -> {
            boolean later = Database.isUnavailable(failed) || Database.isOverloaded(failed);
            LOG.warn("profiles: a request over the event bus was not answered: {}", failed.getMessage(), later ? null : failed);
            message.fail((later ? HttpResponseStatus.SERVICE_UNAVAILABLE : HttpResponseStatus.INTERNAL_SERVER_ERROR).code(), "profiles could not be read");
        });
    }

    /** Over HTTP the contract checks this. */
    private static Optional<List<String>> texts(Object value) {
        return value instanceof JsonArray items && items.size() <= IDS_MAX && items.stream().allMatch(String.class::isInstance)
                ? Optional.of(items.stream().map(String.class::cast).toList())
                : Optional.empty();
    }
}
