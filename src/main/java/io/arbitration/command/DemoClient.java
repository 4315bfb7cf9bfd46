package io.arbitration.command;

import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Calls the platform over HTTP like any client, and prints each call with its answer. */
final class DemoClient implements AutoCloseable {

    private static final Duration ANSWER_WAIT = Duration.ofSeconds(30);
    private static final int OK = 200;
    private static final int TEXT_SHOWN_MAX = 48;
    private static final int ITEMS_SHOWN_MAX = 3;
    private static final int LINE_SHOWN_MAX = 700;

    /** @param errorCode empty if the answer is no error */
    record Answer(int status, String errorCode, Object json) {}

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(ANSWER_WAIT).build();
    private final Function<String, String> url;
    private final Consumer<String> print;

    /**
     * @param url gives the address of an area by its name
     * @param print prints a line
     */
    DemoClient(Function<String, String> url, Consumer<String> print) {
        this.url = url;
        this.print = print;
    }

    /** Prints the next step. */
    void step(String sentence) {
        print.accept("");
        print.accept(sentence);
    }

    /** Prints a line that is no call. */
    void note(String line) {
        print.accept("  " + line);
    }

    /** Prints a call that the platform made. */
    void note(String call, JsonObject body) {
        print.accept("  %s %s".formatted(call, shortened(body)));
    }

    /**
     * Posts and returns the JSON of the answer.
     *
     * @param token null for an operation without a bearer token
     * @throws CommandFailure if the answer has another status than the expected one
     */
    Object post(String area, String path, JsonObject body, String token, int statusExpected) {
        return post(area, path, body, token, Set.of(statusExpected), ANSWER_WAIT).json();
    }

    /**
     * Posts a request that may have more than one expected answer, or that takes long.
     *
     * @throws CommandFailure if the answer has an unexpected status
     */
    Answer post(String area, String path, JsonObject body, String token, Set<Integer> statusesExpected, Duration wait) {
        return posted(area, path, shortened(body), token, request(area, path, body, wait), statusesExpected);
    }

    /** Posts without printing: for polling. */
    JsonObject look(String area, String path, JsonObject body, String token) {
        HttpResponse<String> answer = send(request(area, path, body, ANSWER_WAIT).header("Authorization", "Bearer " + token).build());
        if (answer.statusCode() != OK) {
            throw new CommandFailure("POST /%s%s answered %d, not %d: %s".formatted(area, path, answer.statusCode(), OK, answer.body()));
        }
        return new JsonObject(answer.body());
    }

    private HttpRequest.Builder request(String area, String path, JsonObject body, Duration wait) {
        return HttpRequest.newBuilder(URI.create(url.apply(area) + path))
                .timeout(wait)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.encode()));
    }

    /** A file to be uploaded. */
    record Upload(String name, String contentType, byte[] bytes) {}

    /** Posts a form with a plain text file and returns the JSON of the answer. */
    JsonObject upload(String area, String path, Map<String, String> fields, String fileName, String text, String token) {
        return upload(area, path, fields, new Upload(fileName, "text/plain", text.getBytes(StandardCharsets.UTF_8)), token);
    }

    /** Posts a form with a file and returns the JSON of the answer. */
    JsonObject upload(String area, String path, Map<String, String> fields, Upload file, String token) {
        String boundary = "demo-" + UUID.randomUUID();
        StringBuilder form = new StringBuilder();
        fields.forEach((name, value) -> form.append("--%s\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n".formatted(boundary, name, value)));
        form.append("--%s\r\nContent-Disposition: form-data; name=\"file\"; filename=\"%s\"\r\nContent-Type: %s\r\n\r\n"
                .formatted(boundary, file.name(), file.contentType()));
        List<byte[]> parts = List.of(form.toString().getBytes(StandardCharsets.UTF_8), file.bytes(), "\r\n--%s--\r\n".formatted(boundary).getBytes(StandardCharsets.US_ASCII));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url.apply(area) + path))
                .timeout(ANSWER_WAIT)
                .header("Content-Type", "multipart/form-data; boundary=" + boundary)
                .POST(HttpRequest.BodyPublishers.ofByteArrays(parts));
        return (JsonObject) posted(area, path, "%s file=%s".formatted(fields, file.name()), token, request, Set.of(OK)).json();
    }

    private Answer posted(String area, String path, String shown, String token, HttpRequest.Builder request, Set<Integer> statusesExpected) {
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        print.accept("  POST /%s%s %s".formatted(area, path, shown));
        HttpResponse<String> answer = send(request.build());
        if (!statusesExpected.contains(answer.statusCode())) {
            throw new CommandFailure("POST /%s%s answered %d, not %s: %s".formatted(area, path, answer.statusCode(),
                    statusesExpected.stream().sorted().map(String::valueOf).collect(Collectors.joining(" or ")), answer.body()));
        }
        Object json = Json.decodeValue(answer.body());
        print.accept("  %d %s".formatted(answer.statusCode(), shortened(json)));
        return new Answer(answer.statusCode(), answer.headers().firstValue("Error-Code").orElse(""), json);
    }

    /** Gets a page, without printing: for polling. */
    String get(String area, String path) {
        HttpResponse<String> answer = send(HttpRequest.newBuilder(URI.create(url.apply(area) + path)).timeout(ANSWER_WAIT).GET().build());
        if (answer.statusCode() != OK) {
            throw new CommandFailure("GET /%s%s answered %d, not %d: %s".formatted(area, path, answer.statusCode(), OK, answer.body()));
        }
        return answer.body();
    }

    /** Requests a file, reads it to its end and discards it; without printing. */
    void drain(String area, String path, JsonObject body, String token) {
        HttpRequest.Builder request = request(area, path, body, ANSWER_WAIT);
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        HttpResponse<String> answer = send(request.build());
        if (answer.statusCode() != OK) {
            throw new CommandFailure("POST /%s%s answered %d, not %d: %s".formatted(area, path, answer.statusCode(), OK, answer.body()));
        }
    }

    /** The address of a path of an area. */
    String address(String area, String path) {
        return url.apply(area) + path;
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException failed) {
            throw new CommandFailure("%s %s failed: %s".formatted(request.method(), request.uri(), failed));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CommandFailure("interrupted at %s %s".formatted(request.method(), request.uri()));
        }
    }

    private static String shortened(Object json) {
        String line = Json.encode(cut(json));
        return line.length() > LINE_SHOWN_MAX ? line.substring(0, LINE_SHOWN_MAX) + "…" : line;
    }

    /** A copy for the screen, in which long texts and lists end with an ellipsis. */
    private static Object cut(Object json) {
        return switch (json) {
            case JsonObject object -> {
                JsonObject copy = new JsonObject();
                object.forEach(member -> copy.put(member.getKey(), cut(member.getValue())));
                yield copy;
            }
            case JsonArray array -> {
                JsonArray copy = new JsonArray();
                array.stream().limit(ITEMS_SHOWN_MAX).forEach(item -> copy.add(cut(item)));
                yield array.size() > ITEMS_SHOWN_MAX ? copy.add("… %d more".formatted(array.size() - ITEMS_SHOWN_MAX)) : copy;
            }
            case String text when text.length() > TEXT_SHOWN_MAX -> text.substring(0, TEXT_SHOWN_MAX) + "…";
            case null, default -> json;
        };
    }

    @Override
    public void close() {
        client.close();
    }
}
