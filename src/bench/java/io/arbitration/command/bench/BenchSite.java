package io.arbitration.command.bench;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.arbitration.platform.db.DatabaseUrl;
import io.arbitration.platform.db.EmbeddedPostgres;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A temporary folder to measure on: the platform's data, its log, an identity provider's key and the case definitions with
 * quotas that no load uses up. The profile is production.
 */
final class BenchSite implements AutoCloseable {

    static final String ADMINISTRATOR = "administrator@bench.example";
    static final String PUBLIC_URL = "https://bench.example";
    private static final String PROVIDER = "bench";
    private static final String AUDIENCE = "bench";
    private static final String ISSUER = "https://bench.example";
    private static final int QUOTA = 100_000;
    private static final int UNLIMITED_RATE = 1_000_000;

    private final Path folder;
    private final ECKey key;
    private final Map<String, String> settings = new HashMap<>();
    private final DatabaseUrl database;

    private BenchSite(Path folder, ECKey key, DatabaseUrl database) {
        this.folder = folder;
        this.key = key;
        this.database = database;
    }

    /** @param database where to measure; empty: the embedded PostgreSQL, on a folder of this site */
    static BenchSite open(Optional<String> database) {
        try {
            Path folder = Files.createTempDirectory("acp-bench-");
            ECKey key = new ECKeyGenerator(Curve.P_256).keyID("bench").generate();
            int port = ServerProcess.freePort();
            DatabaseUrl url = database.isPresent() ? DatabaseUrl.parse(database.get()) : EmbeddedPostgres.url(folder.resolve("data"), port);
            BenchSite site = new BenchSite(folder, key, url);
            Path keys = folder.resolve("provider.json");
            Files.writeString(keys, new JWKSet(key.toPublicJWK()).toString());
            site.settings.putAll(Map.of(
                    "ACP_PROFILE", "production",
                    "ACP_DATA_FOLDER", folder.resolve("data").toString(),
                    "ACP_DEFINITIONS_FOLDER", definitions(folder).toString(),
                    "ACP_HTTP_HOST", "127.0.0.1",
                    "ACP_HTTP_PUBLIC_URL", PUBLIC_URL,
                    "ACP_RATE_LIMIT_PER_CALLER", String.valueOf(UNLIMITED_RATE),
                    "ACP_RATE_LIMIT_PER_ADDRESS", String.valueOf(UNLIMITED_RATE),
                    "ACP_IDENTITY_SUPER_ADMINISTRATORS", ADMINISTRATOR,
                    "ACP_IDENTITY_PROVIDERS", new JsonObject().put(PROVIDER, new JsonObject()
                            .put("issuer", ISSUER).put("audiences", new JsonArray().add(AUDIENCE))
                            .put("jwksFile", keys.toString()).put("algorithms", new JsonArray().add("ES256"))).encode()));
            site.settings.putAll(database.isPresent()
                    ? Map.of("ACP_DATABASE_URL", database.get())
                    : Map.of("ACP_DATABASE_EMBEDDED_PORT", String.valueOf(port)));
            return site;
        } catch (IOException | JOSEException failed) {
            throw new BenchFailed("cannot prepare a folder to measure on: " + failed.getMessage(), failed);
        }
    }

    /** A copy of the definitions in which every quota is as high as a rule set may have it. */
    private static Path definitions(Path folder) throws IOException {
        Path from = Path.of(Optional.ofNullable(System.getenv("ACP_HOME")).orElse("."), "conf", "definitions");
        Path to = folder.resolve("definitions");
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.writeString(copy, Files.readString(file).replaceAll("maxAllowed: \\d+", "maxAllowed: " + QUOTA));
                }
            }
        }
        return to;
    }

    /** Starts a platform here. */
    ServerProcess start(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(settings);
        all.putAll(more);
        return ServerProcess.start(all, folder.resolve("platform.log"));
    }

    /** Starts a second platform on the database of the first. */
    ServerProcess startBeside(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(more);
        if (!settings.containsKey("ACP_DATABASE_URL")) {
            all.put("ACP_DATABASE_URL", "postgresql://%s:%s@%s:%d/%s?sslmode=disable".formatted(
                    database.user(), database.password(), database.host(), database.port(), database.database()));
            all.put("ACP_DATABASE_EMBEDDED_PORT", "0");
        }
        return start(all);
    }

    /** The folder of the bucket of evidence. */
    Path evidence() {
        return folder.resolve("data/objects/evidence");
    }

    DatabaseUrl database() {
        return database;
    }

    /** An ID token of the site's provider, and the path that exchanges it. */
    String idToken(String email, String firstName, String lastName) {
        Instant now = Instant.now();
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).build(),
                new JWTClaimsSet.Builder().issuer(ISSUER).audience(AUDIENCE).subject(email)
                        .claim("email", email).claim("email_verified", true)
                        .claim("given_name", firstName).claim("family_name", lastName)
                        .issueTime(Date.from(now)).expirationTime(Date.from(now.plusSeconds(300))).build());
        try {
            token.sign(new ECDSASigner(key));
        } catch (JOSEException failed) {
            throw new BenchFailed("signing an ID token failed", failed);
        }
        return token.serialize();
    }

    String exchangePath() {
        return "/auth/authenticate/" + PROVIDER;
    }

    @Override
    public void close() {
        delete(folder);
    }

    /** Deletes a folder and all that is in it. */
    static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
