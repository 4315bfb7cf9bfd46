package io.arbitration.platform.keys;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;

/**
 * JSON over HTTP to a key-management service. Calls block: a node calls the service once, at its start, when it can do nothing
 * else.
 */
final class KmsHttp {

    private static final Duration WAIT = Duration.ofSeconds(5);
    private static final int MESSAGE_MAX = 300;

    private final String name;
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(WAIT).version(HttpClient.Version.HTTP_1_1).build();

    /** @param name of the service, for the messages of its failures */
    KmsHttp(String name) {
        this.name = name;
    }

    JsonObject post(URI uri, Map<String, String> headers, byte[] body) throws GeneralSecurityException {
        return call(HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.ofByteArray(body)), headers);
    }

    JsonObject get(URI uri, Map<String, String> headers) throws GeneralSecurityException {
        return call(HttpRequest.newBuilder(uri).GET(), headers);
    }

    /**
     * @throws KmsUnavailable if it may answer later
     * @throws GeneralSecurityException if it refuses, with its message
     */
    private JsonObject call(HttpRequest.Builder request, Map<String, String> headers) throws GeneralSecurityException {
        headers.forEach(request::header);
        try {
            HttpResponse<byte[]> answer = client.send(request.timeout(WAIT).build(), HttpResponse.BodyHandlers.ofByteArray());
            int status = answer.statusCode();
            String text = new String(answer.body(), StandardCharsets.UTF_8);
            if (status == 429 || status >= 500) {
                throw new KmsUnavailable("%s answers %d: %s".formatted(name, status, shortened(text)));
            }
            if (status != 200) {
                throw new GeneralSecurityException("%s refuses with %d: %s".formatted(name, status, shortened(text)));
            }
            return new JsonObject(text);
        } catch (IOException unreached) {
            throw new KmsUnavailable("%s cannot be reached: %s".formatted(name, unreached.getMessage() == null ? unreached.getClass().getSimpleName() : unreached.getMessage()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new KmsUnavailable(name + " was not waited for");
        } catch (DecodeException notJson) {
            throw new GeneralSecurityException("%s answers what is no JSON".formatted(name));
        }
    }

    private static String shortened(String text) {
        return text.length() > MESSAGE_MAX ? text.substring(0, MESSAGE_MAX) + "…" : text;
    }
}
