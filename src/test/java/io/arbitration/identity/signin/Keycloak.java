package io.arbitration.identity.signin;

import io.arbitration.Await;
import io.arbitration.OtherRuntimes;
import io.arbitration.platform.FreePort;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A Keycloak server in a process of its own, with one realm of the test's. */
final class Keycloak implements AutoCloseable {

    private static final String ARTIFACT = "org.keycloak:keycloak-quarkus-dist:26.7.3:zip";
    private static final Duration START = Duration.ofMinutes(3);
    private static final String ADMINISTRATOR = "admin";
    private static final Duration TOKEN_USED = Duration.ofSeconds(30);

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Process process;
    private final String url;
    private final String realm;
    private String administrator = "";
    private long administratorSince;

    private Keycloak(Process process, String url, String realm) {
        this.process = process;
        this.url = url;
        this.realm = realm;
    }

    /** Starts with this realm alone; empty, with the reason printed, where the server is not to be had. */
    static Optional<Keycloak> start(JsonObject realm) throws IOException, InterruptedException {
        Optional<Path> home = OtherRuntimes.unpacked(ARTIFACT);
        if (home.isEmpty() || !isBuilt(home.get())) {
            return Optional.empty();
        }
        Keycloak keycloak = started(home.get(), realm.getString("realm"));
        try {
            // Left by an earlier run.
            for (Object one : new JsonArray(keycloak.admin("GET", "/admin/realms", null))) {
                String name = ((JsonObject) one).getString("realm");
                if (!name.equals("master")) {
                    keycloak.admin("DELETE", "/admin/realms/" + name, null);
                }
            }
            keycloak.admin("POST", "/admin/realms", realm);
            return Optional.of(keycloak);
        } catch (RuntimeException | AssertionError failed) {
            keycloak.close();
            throw failed;
        }
    }

    private static Keycloak started(Path home, String realm) throws IOException {
        int port = FreePort.any();
        Path log = Path.of("target/keycloak.log");
        ProcessBuilder starting = command(home, "start", "--optimized", "--http-enabled=true", "--http-host=127.0.0.1", "--http-port=" + port,
                "--hostname-strict=false", "--cache=local").redirectErrorStream(true).redirectOutput(log.toFile());
        starting.environment().putAll(Map.of("KC_BOOTSTRAP_ADMIN_USERNAME", ADMINISTRATOR, "KC_BOOTSTRAP_ADMIN_PASSWORD", ADMINISTRATOR));
        Keycloak keycloak = new Keycloak(starting.start(), "http://127.0.0.1:" + port, realm);
        try {
            Await.despiteFailures("Keycloak answers, see " + log, START, () -> {
                if (!keycloak.process.isAlive()) {
                    throw new IllegalStateException(Files.readString(log));
                }
                return keycloak.send(HttpRequest.newBuilder(URI.create(keycloak.url + "/realms/master"))).statusCode() == 200;
            });
            return keycloak;
        } catch (RuntimeException | AssertionError failed) {
            keycloak.close();
            throw failed;
        }
    }

    /** Its first start would build it for its database, in a process that is then replaced; so that is done once, and kept. */
    private static boolean isBuilt(Path home) throws IOException, InterruptedException {
        Path built = home.resolve("built");
        if (!Files.exists(built)) {
            ProcessBuilder build = command(home, "build", "--db=dev-file", "--health-enabled=false", "--metrics-enabled=false");
            if (build.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() != 0) {
                System.out.println("skipped: Keycloak cannot be built here");
                return false;
            }
            Files.createFile(built);
        }
        return true;
    }

    private static ProcessBuilder command(Path home, String... arguments) {
        ProcessBuilder command = new ProcessBuilder(home.resolve("bin/kc.sh").toString());
        command.command().addAll(List.of(arguments));
        command.environment().put("JAVA_HOME", System.getProperty("java.home"));
        command.environment().put("JAVA_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xms64m -Xmx512m -Djava.net.preferIPv4Stack=true");
        return command;
    }

    String issuer() {
        return url + "/realms/" + realm;
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.timeout(Duration.ofSeconds(60)).build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** What its token endpoint answers to a password: {@code id_token}, {@code access_token}, {@code refresh_token}. */
    JsonObject tokens(String clientId, String secret, String user, String password, String scope) {
        return tokens(issuer(), Map.of("grant_type", "password", "client_id", clientId, "client_secret", secret, "username", user, "password", password,
                "scope", scope));
    }

    private JsonObject tokens(String of, Map<String, String> fields) {
        String form = fields.entrySet().stream().map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        HttpResponse<String> answer = send(HttpRequest.newBuilder(URI.create(of + "/protocol/openid-connect/token"))
                .header("Content-Type", "application/x-www-form-urlencoded").POST(HttpRequest.BodyPublishers.ofString(form)));
        if (answer.statusCode() != 200) {
            throw new IllegalStateException("token of Keycloak: %d %s".formatted(answer.statusCode(), answer.body()));
        }
        return new JsonObject(answer.body());
    }

    /** A token of its administrator, which lives for a minute; a new one each time would cost the hash of a password. */
    private String administrator() {
        if (System.nanoTime() - administratorSince > TOKEN_USED.toNanos() || administrator.isEmpty()) {
            administrator = tokens(url + "/realms/master", Map.of("grant_type", "password", "client_id", "admin-cli", "username", ADMINISTRATOR,
                    "password", ADMINISTRATOR)).getString("access_token");
            administratorSince = System.nanoTime();
        }
        return administrator;
    }

    /** An operation of its administration; throws when that refuses. */
    String admin(String method, String path, JsonObject body) {
        String token = administrator();
        HttpResponse<String> answer = send(HttpRequest.newBuilder(URI.create(url + path)).header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .method(method, body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body.encode())));
        if (answer.statusCode() / 100 != 2) {
            throw new IllegalStateException("%s %s: %d %s".formatted(method, path, answer.statusCode(), answer.body()));
        }
        return answer.body();
    }

    /** Ends every session of a user, as an administrator of the realm does it. */
    void logOut(String user) {
        String id = new JsonArray(admin("GET", "/admin/realms/%s/users?exact=true&username=%s".formatted(realm, user), null))
                .getJsonObject(0).getString("id");
        admin("POST", "/admin/realms/%s/users/%s/logout".formatted(realm, id), null);
    }

    /** From now on a new key signs; those of before still verify. */
    void rotateKeys() {
        String id = new JsonObject(admin("GET", "/admin/realms/" + realm, null)).getString("id");
        JsonObject config = new JsonObject().put("priority", new JsonArray().add("200")).put("algorithm", new JsonArray().add("RS256"))
                .put("enabled", new JsonArray().add("true")).put("active", new JsonArray().add("true"));
        admin("POST", "/admin/realms/%s/components".formatted(realm), new JsonObject().put("name", "next").put("parentId", id)
                .put("providerId", "rsa-generated").put("providerType", "org.keycloak.keys.KeyProvider").put("config", config));
    }

    /** Forgets the keys that signed before {@link #rotateKeys}. */
    void forgetOldKeys() {
        new JsonArray(admin("GET", "/admin/realms/%s/components?type=org.keycloak.keys.KeyProvider".formatted(realm), null)).stream()
                .map(JsonObject.class::cast)
                .filter(key -> key.getString("providerId").equals("rsa-generated") && !key.getString("name").equals("next"))
                .forEach(key -> admin("DELETE", "/admin/realms/%s/components/%s".formatted(realm, key.getString("id")), null));
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        process.onExit().join();
    }
}
