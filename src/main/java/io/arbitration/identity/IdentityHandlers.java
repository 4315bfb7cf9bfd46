package io.arbitration.identity;

import io.arbitration.platform.auth.AccessTokens;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.keys.SigningKeys;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The operations of the identity area: validated request, rule, reply. */
final class IdentityHandlers {

    /** Half the time that a new key is published before it signs: who caches this long never meets an unknown key. */
    static final String PUBLIC_FOR_MINUTES = "public, max-age=300";

    private final Map<String, IdentityProvider> providers;
    private final IdTokens idTokens;
    private final SessionService sessions;
    private final UserService users;
    private final OrganizationService organizations;
    private final ClientService clients;
    private final AccessTokens tokens;
    private final SigningKeys keys;

    IdentityHandlers(
            Map<String, IdentityProvider> providers, IdTokens idTokens, SessionService sessions, UserService users,
            OrganizationService organizations, ClientService clients, AccessTokens tokens, SigningKeys keys) {
        this.providers = providers;
        this.idTokens = idTokens;
        this.sessions = sessions;
        this.users = users;
        this.organizations = organizations;
        this.clients = clients;
        this.tokens = tokens;
        this.keys = keys;
    }

    Contract bind(Contract contract) {
        return contract
                .bind("authenticateWithIdentityProvider", this::authenticate)
                .bind("refreshSession", this::refresh)
                .bind("revokeSession", this::revokeSession)
                .bind("viewMe", this::viewMe)
                .bind("updateMe", this::updateMe)
                .bind("createOrganization", this::createOrganization)
                .bind("addOrganizationMember", this::addMember)
                .bind("removeOrganizationMember", this::removeMember)
                .bind("grantPermission", this::grantPermission)
                .bind("revokePermission", this::revokePermission)
                .bind("createClient", this::createClient)
                .bind("issueClientToken", this::clientToken)
                .bind("listPublicKeys", this::listPublicKeys)
                .bind("viewOpenIdConfiguration", this::viewConfiguration);
    }

    private Future<Reply> authenticate(Call call) {
        IdentityProvider provider = providers.get(call.pathParameter("idp"));
        if (provider == null) {
            throw IdentityError.PROVIDER_NOT_FOUND.refusal();
        }
        return idTokens.verify(provider, call.text("idToken")).compose(sessions::signIn).map(IdentityHandlers::reply);
    }

    private Future<Reply> refresh(Call call) {
        return sessions.refresh(call.text("refreshToken")).map(IdentityHandlers::reply);
    }

    /** Holds secrets, so nothing on the way may keep it (RFC 6749, section 5.1). */
    private static Reply reply(TokenSet tokens) {
        return Reply.json(tokens.json()).withHeader("Cache-Control", "no-store");
    }

    private Future<Reply> revokeSession(Call call) {
        return (call.yes("all", false) ? sessions.revokeAll(call.requester()) : sessions.revoke(call.requester()))
                .map(revoked -> Reply.sentence("Session revoked."));
    }

    private Future<Reply> viewMe(Call call) {
        return users.view(call.caller()).map(profile -> Reply.json(new JsonObject()
                .put("id", profile.user().id().toString())
                .put("email", profile.user().email())
                .put("first_name", profile.user().firstName())
                .put("last_name", profile.user().lastName())
                .put("organizationID", profile.user().organizationId().map(UUID::toString).orElse(null))
                .put("permissions", new JsonArray(List.copyOf(profile.permissions())))));
    }

    private Future<Reply> updateMe(Call call) {
        Optional<Boolean> isPublic = Optional.ofNullable(call.body().getBoolean("publicProfile"));
        return users.update(call.caller(), optionalName(call, "first_name"), optionalName(call, "last_name"), isPublic)
                .map(updated -> Reply.sentence("Profile updated successfully."));
    }

    private Future<Reply> createOrganization(Call call) {
        return organizations.create(call.requester(), name("name", call.text("name")))
                .map(id -> Reply.json(new JsonObject().put("organizationID", id.toString())));
    }

    private Future<Reply> addMember(Call call) {
        return organizations.add(call.requester(), id(call, "organizationID"), id(call, "userID"), call.yes("isAdministrator", false))
                .map(added -> Reply.sentence("Member added."));
    }

    private Future<Reply> removeMember(Call call) {
        return organizations.remove(call.requester(), id(call, "organizationID"), id(call, "userID"))
                .map(removed -> Reply.sentence("Member removed."));
    }

    private Future<Reply> grantPermission(Call call) {
        return users.grant(call.caller(), id(call, "userID"), call.text("permission"))
                .map(granted -> Reply.sentence("Permission granted."));
    }

    private Future<Reply> revokePermission(Call call) {
        return users.revoke(call.requester(), id(call, "userID"), call.text("permission"))
                .map(taken -> Reply.sentence("Permission revoked."));
    }

    private Future<Reply> createClient(Call call) {
        return clients.create(call.requester(), name("name", call.text("name")), Set.copyOf(call.texts("permissions")))
                .map(created -> Reply.json(new JsonObject()
                                .put("clientID", created.clientId().toString())
                                .put("clientSecret", created.secret()))
                        .withHeader("Cache-Control", "no-store"));
    }

    private Future<Reply> clientToken(Call call) {
        return clients.token(id(call, "clientID"), call.text("clientSecret")).map(IdentityHandlers::reply);
    }

    private Future<Reply> listPublicKeys(Call call) {
        return Future.succeededFuture(Reply.json(keys.publicKeys()).withHeader("Cache-Control", PUBLIC_FOR_MINUTES));
    }

    /** The part of OpenID Connect Discovery 1.0 that a verifier needs; the addresses follow the issuer, as it demands. */
    private Future<Reply> viewConfiguration(Call call) {
        String issuer = tokens.issuer();
        String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
        return Future.succeededFuture(Reply.json(new JsonObject()
                .put("issuer", issuer)
                .put("jwks_uri", base + "/.well-known/jwks.json")
                .put("token_endpoint", base + "/clients/token")
                .put("response_types_supported", new JsonArray().add("token"))
                .put("subject_types_supported", new JsonArray().add("public"))
                .put("id_token_signing_alg_values_supported", new JsonArray().add("ES256"))
                .put("claims_supported", new JsonArray(List.of("iss", "aud", "sub", "sid", "org", "scope", "iat", "exp", "jti"))))
                .withHeader("Cache-Control", PUBLIC_FOR_MINUTES));
    }

    private static Optional<String> optionalName(Call call, String field) {
        return call.optionalText(field).map(text -> name(field, text));
    }

    /** Names are shown to other people: something must be there to see, on one line. */
    private static String name(String field, String text) {
        if (text.isBlank()) {
            throw Refusal.badRequest(field + ": must not be blank");
        }
        if (text.codePoints().anyMatch(Character::isISOControl)) {
            throw Refusal.badRequest(field + ": must not contain control characters");
        }
        return text.strip();
    }

    /** An id that is no UUID names nothing. */
    private static Optional<UUID> id(Call call, String field) {
        String text = call.text(field);
        try {
            UUID id = UUID.fromString(text);
            return id.toString().equalsIgnoreCase(text) ? Optional.of(id) : Optional.empty();
        } catch (IllegalArgumentException notAnId) {
            return Optional.empty();
        }
    }
}
