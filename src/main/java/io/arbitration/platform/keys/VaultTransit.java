package io.arbitration.platform.keys;

import com.google.crypto.tink.Aead;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/** A key of the transit secrets engine of HashiCorp Vault (or OpenBao), of an authenticated type. Source: HTTP API of Vault, transit. */
final class VaultTransit implements Aead {

    private final KmsHttp http = new KmsHttp("Vault");
    private final KeyService.Vault settings;

    VaultTransit(KeyService.Vault settings) {
        this.settings = settings;
    }

    @Override
    public byte[] encrypt(byte[] plain, byte[] context) throws GeneralSecurityException {
        return call("encrypt", new JsonObject().put("plaintext", Base64.getEncoder().encodeToString(plain)), context)
                .getString("ciphertext").getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public byte[] decrypt(byte[] cipher, byte[] context) throws GeneralSecurityException {
        return Base64.getDecoder().decode(
                call("decrypt", new JsonObject().put("ciphertext", new String(cipher, StandardCharsets.US_ASCII)), context).getString("plaintext"));
    }

    private JsonObject call(String operation, JsonObject body, byte[] context) throws GeneralSecurityException {
        body.put("associated_data", Base64.getEncoder().encodeToString(context));
        Map<String, String> headers = new HashMap<>(Map.of("X-Vault-Token", token(), "X-Vault-Request", "true", "Content-Type", "application/json"));
        settings.namespace().ifPresent(namespace -> headers.put("X-Vault-Namespace", namespace));
        return http.post(URI.create("%s/v1/%s/%s/%s".formatted(settings.address(), settings.mount(), operation, settings.key())), headers,
                body.encode().getBytes(StandardCharsets.UTF_8)).getJsonObject("data");
    }

    /** Read at each call: an agent may have renewed the file. */
    private String token() throws GeneralSecurityException {
        try {
            return settings.tokenFile().isEmpty() ? settings.token() : Files.readString(settings.tokenFile().get()).strip();
        } catch (IOException unreadable) {
            throw new GeneralSecurityException("keys.vault.tokenFile: cannot be read: " + unreadable.getMessage());
        }
    }
}
