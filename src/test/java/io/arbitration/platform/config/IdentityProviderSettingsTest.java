package io.arbitration.platform.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.Settings;
import io.arbitration.identity.IdentityProviderSettings;
import io.arbitration.identity.IdentitySettings;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IdentityProviderSettingsTest {

    private static final Path HOME = Path.of("").toAbsolutePath();

    private static JsonObject provider() {
        return new JsonObject().put("issuer", "https://idp.example").put("audiences", new JsonArray().add("client"));
    }

    private static IdentitySettings parse(String name, JsonObject provider) {
        Map<String, String> environment = Map.of("ACP_IDENTITY_PROVIDERS", new JsonObject().put(name, provider).encode());
        return Settings.read(Configuration.load(HOME, environment), HOME).identity();
    }

    private static void assertRefused(JsonObject provider, String key) {
        assertThatThrownBy(() -> parse("idp", provider)).isInstanceOf(ConfigurationError.class).hasMessageContaining(key);
    }

    @Test
    void aProviderHasAnIssuerAudiencesAndOnePlaceForItsKeys() {
        IdentityProviderSettings parsed = parse("idp", provider().put("jwksUrl", "https://idp.example/keys")).providers().get("idp");
        assertThat(parsed.algorithms()).containsExactly("RS256", "ES256");
        assertThat(parsed.jwksUrl()).contains("https://idp.example/keys");
        assertRefused(provider(), "identity.providers.idp");
        assertRefused(provider().put("jwksUrl", "https://idp.example/keys").put("jwksFile", "keys.json"), "identity.providers.idp");
        assertRefused(provider().put("jwksFile", "keys.json").put("audiences", new JsonArray()), "identity.providers.idp");
        assertRefused(provider().put("jwksFile", "keys.json").putNull("issuer"), "identity.providers.idp");
    }

    @Test
    void keysAreFetchedOverAConnectionThatNobodyCanChange() {
        for (String address : List.of("http://idp.example/keys", "ftp://idp.example/keys", "idp.example", "https:///keys", "http://[", "")) {
            assertRefused(provider().put("jwksUrl", address), "identity.providers.idp.jwksUrl");
        }
        for (String address : List.of("http://localhost:8081/keys", "http://127.0.0.1/keys", "http://[::1]:80/keys")) {
            assertThat(parse("idp", provider().put("jwksUrl", address)).providers()).containsKey("idp");
        }
    }

    @Test
    void symmetricAlgorithmsAndNoneAreNeverAllowed() {
        for (String algorithm : List.of("HS256", "none", "rs256", "ES256K")) {
            assertRefused(provider().put("jwksFile", "keys.json").put("algorithms", new JsonArray().add(algorithm)),
                    "identity.providers.idp.algorithms");
        }
    }

    @Test
    void theNameDemoIsTaken() {
        assertThatThrownBy(() -> parse("demo", provider().put("jwksFile", "keys.json")))
                .isInstanceOf(ConfigurationError.class).hasMessageContaining("identity.providers.demo");
    }
}
