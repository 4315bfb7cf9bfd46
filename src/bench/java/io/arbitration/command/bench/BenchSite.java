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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.text.ParseException;
import java.time.Instant;
import java.util.Base64;
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
    static final String PROVIDER = "bench";
    private static final String AUDIENCE = "bench";
    private static final String ISSUER = "https://bench.example";
    /** Of a store that is made for a moment and deleted with this folder. */
    private static final String STORE_PASSWORD = "changeit";
    private static final int QUOTA = 100_000;
    private static final int UNLIMITED_RATE = 1_000_000;

    private final Path folder;
    private final ECKey key;
    private final Map<String, String> settings = new HashMap<>();
    private final DatabaseUrl database;
    private final boolean stays;

    private BenchSite(Path folder, ECKey key, DatabaseUrl database, boolean stays) {
        this.folder = folder;
        this.key = key;
        this.database = database;
        this.stays = stays;
    }

    /** @param database where to measure; empty: the embedded PostgreSQL, on a folder of this site */
    static BenchSite open(Optional<String> database) {
        try {
            return in(Files.createTempDirectory("acp-bench-"), new ECKeyGenerator(Curve.P_256).keyID("bench").generate(), database, false);
        } catch (IOException | JOSEException failed) {
            throw new BenchFailed("cannot prepare a folder to measure on: " + failed.getMessage(), failed);
        }
    }

    /** The same in a folder that stays: its data, its keys and the key of its provider are there again the next time. */
    static BenchSite keep(Path folder, Optional<String> database) {
        try {
            Path file = Files.createDirectories(folder).resolve("provider-key.json");
            if (!Files.exists(file)) {
                Files.writeString(file, new ECKeyGenerator(Curve.P_256).keyID("bench").generate().toJSONString());
            }
            return in(folder.toAbsolutePath(), ECKey.parse(Files.readString(file)), database, true);
        } catch (IOException | JOSEException | ParseException failed) {
            throw new BenchFailed("cannot prepare %s to measure on: %s".formatted(folder, failed.getMessage()), failed);
        }
    }

    private static BenchSite in(Path folder, ECKey key, Optional<String> database, boolean stays) {
        try {
            int port = ServerProcess.freePort();
            DatabaseUrl url = database.isPresent() ? DatabaseUrl.parse(database.get()) : EmbeddedPostgres.url(folder.resolve("data"), port);
            BenchSite site = new BenchSite(folder, key, url, stays);
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
            site.settings.putAll(Map.of("ACP_RATE_LIMIT_CONNECTIONS_PER_ADDRESS", String.valueOf(UNLIMITED_RATE),
                    "ACP_RATE_LIMIT_REFUSALS_PER_ADDRESS", String.valueOf(UNLIMITED_RATE)));
            site.settings.putAll(database.isPresent()
                    ? Map.of("ACP_DATABASE_URL", database.get())
                    : Map.of("ACP_DATABASE_EMBEDDED_PORT", String.valueOf(port)));
            return site;
        } catch (IOException failed) {
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

    /** Has the platforms of this site know a further identity provider, at which browsers sign in; it signs with the key of the site's own. */
    void addProvider(String name, String issuer) {
        JsonObject providers = new JsonObject(settings.get("ACP_IDENTITY_PROVIDERS"));
        providers.put(name, providers.getJsonObject(PROVIDER).copy().put("issuer", issuer).put("clientID", AUDIENCE));
        settings.put("ACP_IDENTITY_PROVIDERS", providers.encode());
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
            all.put("ACP_DATABASE_URL", databaseText());
            all.put("ACP_DATABASE_EMBEDDED_PORT", "0");
        }
        return start(all);
    }

    /** The folder of the bucket of evidence. */
    Path evidence() {
        return folder.resolve("data/objects/evidence");
    }

    /** A Maildir, made at the first call. */
    Path bounces() {
        Path maildir = folder.resolve("bounces");
        for (String part : List.of("tmp", "new", "cur")) {
            createDirectories(maildir.resolve(part));
        }
        return maildir;
    }

    private static void createDirectories(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Settings with which a node speaks TLS, by a certificate that is made for it. */
    Map<String, String> tls() {
        Path store = folder.resolve("tls.p12");
        try {
            Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias", "node", "-keyalg", "EC",
                    "-groupname", "secp256r1", "-dname", "CN=localhost", "-ext", "san=dns:localhost,ip:127.0.0.1", "-validity", "2", "-storetype", "PKCS12",
                    "-keystore", store.toString(), "-storepass", STORE_PASSWORD).redirectErrorStream(true).start();
            String printed = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (keytool.waitFor() != 0) {
                throw new BenchFailed("no certificate could be made: " + printed);
            }
            KeyStore keys = KeyStore.getInstance(store.toFile(), STORE_PASSWORD.toCharArray());
            Path key = Files.writeString(folder.resolve("tls-key.pem"), pem("PRIVATE KEY", keys.getKey("node", STORE_PASSWORD.toCharArray()).getEncoded()));
            Path certificate = Files.writeString(folder.resolve("tls-certificate.pem"), pem("CERTIFICATE", keys.getCertificate("node").getEncoded()));
            return Map.of("ACP_HTTP_TLS_KEY_FILE", key.toString(), "ACP_HTTP_TLS_CERTIFICATE_FILE", certificate.toString());
        } catch (IOException | GeneralSecurityException failed) {
            throw new BenchFailed("no certificate could be made", failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("interrupted");
        }
    }

    private static String pem(String kind, byte[] encoded) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(kind, Base64.getMimeEncoder().encodeToString(encoded), kind);
    }

    /** The URL of the database, password included, for another process. */
    String databaseText() {
        return settings.getOrDefault("ACP_DATABASE_URL", "postgresql://%s:%s@%s:%d/%s?sslmode=disable".formatted(
                database.user(), database.password(), database.host(), database.port(), database.database()));
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

    /** The data of the embedded PostgreSQL, its password and its log. */
    Path data() {
        return folder.resolve("data");
    }

    @Override
    public void close() {
        if (!stays) {
            delete(folder);
        }
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
