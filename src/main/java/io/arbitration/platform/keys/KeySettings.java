package io.arbitration.platform.keys;

import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.config.ConfigurationError;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The keys that encrypt stored values.
 *
 * @param keysetFile contains the keyset
 * @param service encrypts that file
 * @param patience how long a start waits for a service that does not answer
 */
public record KeySettings(Path keysetFile, KeyService service, Duration patience) {

    public static KeySettings read(Configuration c, Path home, Path dataFolder) {
        String awsRegion = c.required("keys.aws.region");
        KeyService.Aws aws = new KeyService.Aws(endpoint(c, "keys.aws.endpoint").orElse("https://kms.%s.amazonaws.com".formatted(awsRegion)), awsRegion,
                c.text("keys.aws.keyID"), c.text("keys.aws.accessKeyId"), c.secret("keys.aws.secretAccessKey"), c.secret("keys.aws.sessionToken"));
        KeyService.Gcp gcp = new KeyService.Gcp(endpoint(c, "keys.gcp.endpoint").orElse("https://cloudkms.googleapis.com"),
                endpoint(c, "keys.gcp.metadataEndpoint").orElse("http://metadata.google.internal"), c.text("keys.gcp.key"),
                c.optional("keys.gcp.credentialsFile").map(home::resolve));
        KeyService.Vault vault = new KeyService.Vault(endpoint(c, "keys.vault.address").orElse(""), c.required("keys.vault.mount"), c.text("keys.vault.key"),
                c.secret("keys.vault.token"), c.optional("keys.vault.tokenFile").map(home::resolve), c.optional("keys.vault.namespace"));
        KeyService service = switch (c.oneOf("keys.service", "local", "aws", "gcp", "vault")) {
            case "aws" -> {
                AwsCredentials.requirePair("keys.aws.accessKeyId", aws.accessKeyId(), "keys.aws.secretAccessKey", aws.secretAccessKey());
                yield complete(aws, Map.of("keys.aws.keyID", aws.keyId()));
            }
            case "gcp" -> complete(gcp, Map.of("keys.gcp.key", gcp.key()));
            case "vault" -> complete(vault, Map.of("keys.vault.address", vault.address(), "keys.vault.key", vault.key(),
                    "keys.vault.token", vault.tokenFile().map(Path::toString).orElse(vault.token())));
            default -> new KeyService.Local();
        };
        return new KeySettings(c.optional("keys.keysetFile").map(home::resolve).orElse(dataFolder.resolve("keys/keyset.json")), service,
                Duration.ofSeconds(c.whole("keys.waitSeconds", 0, 100)));
    }

    private static KeyService complete(KeyService service, Map<String, String> needed) {
        new TreeMap<>(needed).forEach((key, value) -> {
            if (value.isBlank()) {
                throw ConfigurationError.outOfBounds(key, "(empty)", "not empty, when keys.service is this one");
            }
        });
        return service;
    }

    private static Optional<String> endpoint(Configuration c, String key) {
        return c.optional(key, Configuration.BASE_URL_BOUND, Configuration.BASE_URL);
    }
}
