package io.arbitration.platform.keys;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Vault's transit engine and Google's KMS, as their references describe the calls that are made here, with a real AES-256-GCM
 * key and the associated data authenticated.
 */
public final class KeyServiceServer implements AutoCloseable {

    public static final String TOKEN = "s.test-token";

    private final byte[] key = new byte[32];
    private final HttpServer server;
    private final AtomicInteger away = new AtomicInteger();
    private final AtomicInteger calls = new AtomicInteger();
    private final List<String> assertions = new CopyOnWriteArrayList<>();

    public KeyServiceServer() {
        this(0);
    }

    public KeyServiceServer(int port) {
        Arrays.fill(key, (byte) 7);
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    public String address() {
        return "http://127.0.0.1:" + port();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** Settings of a platform whose keyset this Vault encrypts. */
    public static Map<String, String> vault(String address) {
        return Map.of("ACP_KEYS_SERVICE", "vault", "ACP_KEYS_VAULT_ADDRESS", address, "ACP_KEYS_VAULT_KEY", "platform", "ACP_KEYS_VAULT_TOKEN", TOKEN,
                "ACP_KEYS_WAIT_SECONDS", "3");
    }

    /** Answers so many calls with 503 before it answers again. */
    public void awayFor(int times) {
        away.set(times);
    }

    public int calls() {
        return calls.get();
    }

    List<String> assertions() {
        return List.copyOf(assertions);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            calls.incrementAndGet();
            if (away.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                answer(exchange, 503, new JsonObject().put("errors", "sealed"));
                return;
            }
            try {
                route(exchange, body);
            } catch (GeneralSecurityException | RuntimeException wrong) {
                answer(exchange, 400, new JsonObject().put("errors", wrong.toString()));
            }
        }
    }

    private void route(HttpExchange exchange, String body) throws IOException, GeneralSecurityException {
        String path = exchange.getRequestURI().getPath();
        switch (path) {
            case "/v1/transit/encrypt/platform", "/v1/transit/decrypt/platform" -> vault(exchange, path.contains("encrypt"), new JsonObject(body));
            case "/token" -> {
                assertions.add(body);
                answer(exchange, 200, new JsonObject().put("access_token", TOKEN).put("token_type", "Bearer"));
            }
            case "/computeMetadata/v1/instance/service-accounts/default/token" -> {
                boolean asked = "Google".equals(exchange.getRequestHeaders().getFirst("Metadata-Flavor"));
                answer(exchange, asked ? 200 : 403, new JsonObject().put("access_token", TOKEN));
            }
            case "/v1/projects/p/locations/l/keyRings/r/cryptoKeys/k:encrypt", "/v1/projects/p/locations/l/keyRings/r/cryptoKeys/k:decrypt" ->
                    google(exchange, path.endsWith("encrypt"), new JsonObject(body));
            default -> answer(exchange, 404, new JsonObject());
        }
    }

    private void vault(HttpExchange exchange, boolean encrypt, JsonObject body) throws IOException, GeneralSecurityException {
        if (!TOKEN.equals(exchange.getRequestHeaders().getFirst("X-Vault-Token"))) {
            answer(exchange, 403, new JsonObject().put("errors", "permission denied"));
            return;
        }
        byte[] context = Base64.getDecoder().decode(body.getString("associated_data"));
        JsonObject data = encrypt
                ? new JsonObject().put("ciphertext", "vault:v1:" + Base64.getEncoder().encodeToString(
                        cipher(Cipher.ENCRYPT_MODE, Base64.getDecoder().decode(body.getString("plaintext")), context)))
                : new JsonObject().put("plaintext", Base64.getEncoder().encodeToString(
                        cipher(Cipher.DECRYPT_MODE, Base64.getDecoder().decode(body.getString("ciphertext").substring("vault:v1:".length())), context)));
        answer(exchange, 200, new JsonObject().put("data", data));
    }

    private void google(HttpExchange exchange, boolean encrypt, JsonObject body) throws IOException, GeneralSecurityException {
        if (!("Bearer " + TOKEN).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            answer(exchange, 401, new JsonObject());
            return;
        }
        byte[] context = Base64.getDecoder().decode(body.getString("additionalAuthenticatedData"));
        byte[] given = Base64.getDecoder().decode(body.getString(encrypt ? "plaintext" : "ciphertext"));
        answer(exchange, 200, new JsonObject().put(encrypt ? "ciphertext" : "plaintext",
                Base64.getEncoder().encodeToString(cipher(encrypt ? Cipher.ENCRYPT_MODE : Cipher.DECRYPT_MODE, given, context))));
    }

    private byte[] cipher(int mode, byte[] bytes, byte[] context) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, new byte[12]));
        cipher.updateAAD(context);
        return cipher.doFinal(bytes);
    }

    private static void answer(HttpExchange exchange, int status, JsonObject body) throws IOException {
        byte[] bytes = body.encode().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
