package io.arbitration.platform.keys;

import com.google.crypto.tink.Aead;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** A symmetric key of AWS KMS. Source: API reference of AWS KMS, Encrypt and Decrypt, version 2014-11-01. */
final class AwsKms implements Aead {

    private final KmsHttp http = new KmsHttp("AWS KMS");
    private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();
    private final KeyService.Aws settings;
    private final AwsCredentials credentials;

    AwsKms(KeyService.Aws settings) {
        this.settings = settings;
        this.credentials = AwsCredentials.of(settings.accessKeyId(), settings.secretAccessKey(), settings.sessionToken());
    }

    @Override
    public byte[] encrypt(byte[] plain, byte[] context) throws GeneralSecurityException {
        JsonObject answer = call("Encrypt", context, new JsonObject().put("Plaintext", Base64.getEncoder().encodeToString(plain)));
        return Base64.getDecoder().decode(answer.getString("CiphertextBlob"));
    }

    @Override
    public byte[] decrypt(byte[] cipher, byte[] context) throws GeneralSecurityException {
        JsonObject answer = call("Decrypt", context, new JsonObject().put("CiphertextBlob", Base64.getEncoder().encodeToString(cipher)));
        return Base64.getDecoder().decode(answer.getString("Plaintext"));
    }

    private AwsCredentialsIdentity credentials() throws GeneralSecurityException {
        try {
            return credentials.current();
        } catch (IllegalStateException none) {
            // The provider of a role may answer later, like the service itself.
            throw new KmsUnavailable(none.getMessage());
        }
    }

    private JsonObject call(String operation, byte[] context, JsonObject parameters) throws GeneralSecurityException {
        AwsCredentialsIdentity identity = credentials();
        byte[] body = parameters.put("KeyId", settings.keyId())
                .put("EncryptionContext", new JsonObject().put("for", new String(context, StandardCharsets.UTF_8)))
                .encode().getBytes(StandardCharsets.UTF_8);
        SdkHttpRequest request = SdkHttpRequest.builder().method(SdkHttpMethod.POST).uri(URI.create(settings.endpoint() + "/"))
                .putHeader("Content-Type", "application/x-amz-json-1.1")
                .putHeader("X-Amz-Target", "TrentService." + operation)
                .build();
        SignedRequest signed = signer.sign(sign -> sign
                .identity(identity)
                .request(request)
                .payload(ContentStreamProvider.fromByteArrayUnsafe(body))
                .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "kms")
                .putProperty(AwsV4HttpSigner.REGION_NAME, settings.region()));
        Map<String, String> headers = new HashMap<>();
        signed.request().forEachHeader((name, values) -> {
            // The client writes these two headers itself.
            if (!name.equalsIgnoreCase("Host") && !name.equalsIgnoreCase("Content-Length")) {
                headers.put(name, String.join(",", values));
            }
        });
        return http.post(signed.request().getUri(), headers, body);
    }
}
