package io.arbitration.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.config.ConfigurationError;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of an external OpenID provider; exactly one of the two sources of its keys is set.
 *
 * @param client the client of this platform at the provider; empty: browsers cannot sign in there
 * @param emailVerifiedAsText whether {@code email_verified} may also be the text {@code "true"}
 * @param acrValues the accepted values of the claim {@code acr}; empty: any
 */
public record IdentityProviderSettings(
        String name, String issuer, List<String> audiences, Optional<String> jwksUrl, Optional<Path> jwksFile, List<String> algorithms,
        Optional<Client> client, boolean emailVerifiedAsText, List<String> acrValues) {

    /** The client of this platform at a provider; a public one if it has no secret. Its text form does not contain the secret. */
    public record Client(String id, Optional<String> secret) {
        @Override
        public String toString() {
            return "Client[%s]".formatted(id);
        }
    }

    /** Algorithms an ID token may be signed with; symmetric ones and {@code none} are never among them. */
    private static final List<String> ID_TOKEN_ALGORITHMS =
            List.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");

    private static final int ACR_LENGTH_MAX = 200;

    static IdentityProviderSettings read(String name, ObjectNode value, Path home) {
        String key = "identity.providers." + name;
        Configuration.onlyKeys(key, value, "issuer", "audiences", "jwksUrl", "jwksFile", "algorithms", "clientID", "clientSecret", "emailVerifiedAsText",
                "acrValues");
        if (!name.matches("[a-z0-9][a-z0-9-]{0,39}") || name.equals("demo")) {
            throw ConfigurationError.outOfBounds(key, name, "lower case letters, digits and dashes, at most 40, not demo");
        }
        List<String> audiences = texts(value, "audiences");
        if (value.path("issuer").asText("").isBlank() || audiences.isEmpty()) {
            throw new ConfigurationError(key + ": issuer and audiences are required");
        }
        Optional<String> url = Optional.ofNullable(value.get("jwksUrl")).map(JsonNode::asText);
        Optional<Path> file = Optional.ofNullable(value.get("jwksFile")).map(node -> home.resolve(node.asText()));
        if (url.isPresent() == file.isPresent()) {
            throw new ConfigurationError(key + ": exactly one of jwksUrl and jwksFile is required");
        }
        url.filter(address -> !isTrustworthy(address)).ifPresent(address -> {
            throw ConfigurationError.outOfBounds(key + ".jwksUrl", address, "an https address, or http on this machine");
        });
        List<String> algorithms = value.has("algorithms") ? texts(value, "algorithms") : List.of("RS256", "ES256");
        algorithms.stream().filter(algorithm -> !ID_TOKEN_ALGORITHMS.contains(algorithm)).findFirst().ifPresent(unknown -> {
            throw ConfigurationError.outOfBounds(key + ".algorithms", unknown, "one of " + ID_TOKEN_ALGORITHMS);
        });
        Optional<String> secret = Optional.ofNullable(value.get("clientSecret")).map(JsonNode::asText);
        Optional<Client> client = Optional.ofNullable(value.get("clientID")).map(JsonNode::asText).map(id -> new Client(id, secret));
        if (client.isEmpty() && secret.isPresent() || client.filter(own -> own.id().isBlank()).isPresent()) {
            throw new ConfigurationError(key + ": clientSecret needs a clientID");
        }
        if (client.isPresent() && !isTrustworthy(value.get("issuer").asText())) {
            throw ConfigurationError.outOfBounds(key + ".issuer", value.get("issuer").asText(),
                    "an https address, or http on this machine, where browsers sign in (clientID)");
        }
        List<String> acrValues = texts(value, "acrValues");
        // They are sent in one parameter, separated by spaces (OpenID Connect Core, section 3.1.2.1), so a value must not contain one.
        acrValues.stream().filter(acr -> acr.isBlank() || acr.length() > ACR_LENGTH_MAX || acr.contains(" ")).findFirst().ifPresent(acr -> {
            throw ConfigurationError.outOfBounds(key + ".acrValues", acr, "1 to %d characters without a space".formatted(ACR_LENGTH_MAX));
        });
        return new IdentityProviderSettings(name, value.get("issuer").asText(), audiences, url, file, algorithms, client,
                value.path("emailVerifiedAsText").asBoolean(false), acrValues);
    }

    /**
     * Whether a URL has https or is on this machine: an attacker who can change the published data in transit could sign in as
     * anybody.
     */
    private static boolean isTrustworthy(String address) {
        try {
            URI uri = new URI(address);
            return uri.getHost() != null && ("https".equals(uri.getScheme())
                    || "http".equals(uri.getScheme()) && Set.of("localhost", "127.0.0.1", "[::1]").contains(uri.getHost()));
        } catch (URISyntaxException notAnAddress) {
            return false;
        }
    }

    private static List<String> texts(ObjectNode value, String name) {
        List<String> items = new ArrayList<>();
        value.path(name).forEach(node -> items.add(node.asText()));
        return List.copyOf(items);
    }
}
