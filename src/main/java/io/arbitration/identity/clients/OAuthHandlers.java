package io.arbitration.identity.clients;

import io.arbitration.domain.Identifiers;
import io.arbitration.platform.answer.OAuthError;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** OAuth 2.0 tokens for machine clients: client_credentials (RFC 6749, section 4.4). */
public final class OAuthHandlers {

    private static final String GRANT_TYPE = "client_credentials";
    private static final String SCHEME = "basic ";

    private final ClientService clients;

    private record Credentials(String id, String secret) {}

    public OAuthHandlers(ClientService clients) {
        this.clients = clients;
    }

    public Contract bind(Contract contract) {
        return contract.bind("issueOAuthToken", this::token);
    }

    private Future<Reply> token(Call call) {
        if (!call.text("grant_type").equals(GRANT_TYPE)) {
            throw OAuthError.UNSUPPORTED_GRANT_TYPE.refusal(GRANT_TYPE);
        }
        Credentials credentials = credentials(call);
        Optional<Set<String>> scope = call.optionalText("scope").filter(text -> !text.isBlank()).map(text -> new TreeSet<>(List.of(text.strip().split(" +"))));
        return clients.token(Identifiers.uuid(credentials.id()), credentials.secret(), scope).map(issued -> Reply.json(new JsonObject()
                        .put("access_token", issued.orElseThrow(OAuthError.INVALID_CLIENT::refusal).accessToken())
                        .put("token_type", "Bearer")
                        .put("expires_in", issued.get().lifetime().toSeconds())
                        .put("scope", String.join(" ", new TreeSet<>(issued.get().permissions()))))
                .withHeader("Cache-Control", "no-store"));
    }

    /** In the header or in the body, not in both (RFC 6749, section 2.3). */
    private static Credentials credentials(Call call) {
        Optional<String> header = call.authorization().filter(text -> text.regionMatches(true, 0, SCHEME, 0, SCHEME.length()));
        Optional<String> id = call.optionalText("client_id");
        Optional<String> secret = call.optionalText("client_secret");
        if (header.isEmpty()) {
            return new Credentials(id.orElseThrow(OAuthError.INVALID_CLIENT::refusal), secret.orElseThrow(OAuthError.INVALID_CLIENT::refusal));
        }
        if (secret.isPresent()) {
            throw OAuthError.INVALID_REQUEST.refusal("the credentials of the client stand in the header and in the body; send them once");
        }
        Credentials basic = basic(header.get().substring(SCHEME.length()).strip());
        if (id.filter(other -> !other.equals(basic.id())).isPresent()) {
            throw OAuthError.INVALID_REQUEST.refusal("client_id: is not the client of the Authorization header");
        }
        return basic;
    }

    private static Credentials basic(String encoded) {
        try {
            String[] parts = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8).split(":", 2);
            if (parts.length == 2) {
                return new Credentials(URLDecoder.decode(parts[0], StandardCharsets.UTF_8), URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
            }
        } catch (IllegalArgumentException malformed) {
            throw OAuthError.INVALID_CLIENT.refusal();
        }
        throw OAuthError.INVALID_CLIENT.refusal();
    }
}
