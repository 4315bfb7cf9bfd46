package io.arbitration.mainapi.live;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Reads an event stream as the HTML standard has a browser read it. */
public final class StreamClient implements AutoCloseable {

    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final HttpResponse<InputStream> response;
    private final Thread reader;
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private volatile Optional<String> lastId = Optional.empty();
    private volatile boolean ended;

    public record Received(String id, String kind, JsonObject envelope) {
        public String eventId() {
            return envelope.getString("id");
        }
    }

    private StreamClient(RunningPlatform platform, String query, String... headers) throws Exception {
        response = http.send(HttpRequest.newBuilder(URI.create(platform.url() + "/api/events/stream" + query)).headers(headers).build(),
                HttpResponse.BodyHandlers.ofInputStream());
        reader = Thread.ofVirtual().start(this::read);
    }

    public static StreamClient of(RunningPlatform platform, String token) throws Exception {
        return open(platform, "", "Authorization", "Bearer " + token);
    }

    static StreamClient after(RunningPlatform platform, String token, String lastEventId) throws Exception {
        return open(platform, "", "Authorization", "Bearer " + token, "Last-Event-ID", lastEventId);
    }

    /** Waits until the stream follows: it has told where it is. */
    public static StreamClient open(RunningPlatform platform, String query, String... headers) throws Exception {
        StreamClient client = new StreamClient(platform, query, headers);
        if (client.status() == 200 && List.of(headers).indexOf("Last-Event-ID") < 0) {
            Await.until(() -> client.lastId.isPresent());
        }
        return client;
    }

    private void read() {
        String id = null;
        String kind = null;
        String data = null;
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("id: ")) {
                    id = line.substring(4);
                } else if (line.startsWith("event: ")) {
                    kind = line.substring(7);
                } else if (line.startsWith("data: ")) {
                    data = line.substring(6);
                } else if (line.isEmpty()) {
                    if (data != null) {
                        received.add(new Received(id, kind, new JsonObject(data)));
                    }
                    lastId = Optional.ofNullable(id);
                    data = null;
                }
            }
        } catch (IOException cut) {
            // As it ends when the platform cuts it off, or this client closes it.
        } finally {
            ended = true;
        }
    }

    public int status() {
        return response.statusCode();
    }

    HttpResponse<InputStream> response() {
        return response;
    }

    List<Received> received() {
        return received;
    }

    public List<String> kinds() {
        return received.stream().map(Received::kind).toList();
    }

    List<String> eventIds() {
        return received.stream().map(Received::eventId).toList();
    }

    String lastId() {
        return lastId.orElseThrow();
    }

    public boolean hasEnded() {
        return ended;
    }

    @Override
    public void close() throws Exception {
        response.body().close();
        reader.join();
        http.shutdownNow();
    }
}
