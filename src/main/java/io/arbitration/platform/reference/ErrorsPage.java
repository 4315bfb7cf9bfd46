package io.arbitration.platform.reference;

import io.arbitration.platform.answer.HttpError;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.json.JsonObject;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The page of all errors, generated from the contracts: each error has an anchor with its code, to which the {@code type} of
 * problem details refers. Needs no script.
 */
final class ErrorsPage {

    private static final String REFERENCE = "$ref";
    private static final String REQUEST_INVALID = "request.invalid";
    private static final String PAGE = """
            <!doctype html>
            <html lang="en" class="by-preference">
            <head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
            <title>Errors – Arbitration Case Platform</title>
            <link rel="icon" href="/docs/favicon-32x32.png"><link rel="stylesheet" href="/docs/page.css"></head>
            <body>
            <header><h1>Errors</h1>
            <p>An error is a status, the header <code>Error-Code</code> with its code, which never changes, and a sentence for people. The sentence is the body:
            a JSON string, below <code>/push</code> plain text. With <code>Accept: application/problem+json</code> the body is problem details (RFC 9457),
            whose <code>type</code> leads to this page. A later version may add codes: handle an unknown code by its status.
            With 429 and 503, <code>Retry-After</code> gives the seconds to wait. <a href="/docs">All operations</a>, <a href="/docs/guides">guides</a></p>
            </header>
            <main class="errors">
            <nav aria-label="Codes"><ul>
            %s</ul></nav>
            %s</main></body></html>
            """;

    /** Statuses by code: refusals before any operation is reached have no status in a contract. */
    private static final Map<String, Integer> UNREACHED =
            Stream.of(HttpError.values()).collect(Collectors.toMap(HttpError::code, HttpError::status, (one, same) -> one));

    /** The content of the contracts for a code. */
    private static final class Error {
        private int status;
        /** Sentences, with their conditions. */
        private final Map<String, String> sentences = new LinkedHashMap<>();
        private final TreeSet<String> operations = new TreeSet<>();
    }

    private ErrorsPage() {}

    /** @param contracts each with its prefix as its only server */
    static String html(Collection<JsonObject> contracts) {
        Map<String, Error> errors = new TreeMap<>();
        contracts.forEach(contract -> read(contract, errors));
        String codes = errors.keySet().stream().map("<li><a href=\"#%1$s\">%1$s</a></li>\n"::formatted).collect(Collectors.joining());
        String sections = errors.entrySet().stream().map(one -> section(one.getKey(), one.getValue())).collect(Collectors.joining());
        return PAGE.formatted(codes, sections);
    }

    private static void read(JsonObject contract, Map<String, Error> errors) {
        String prefix = contract.getJsonArray("servers").getJsonObject(0).getString("url").replaceAll("/$", "");
        contract.getJsonObject("paths").forEach(path -> ((JsonObject) path.getValue()).forEach(method -> {
            if (method.getValue() instanceof JsonObject operation && operation.containsKey("operationId")) {
                String name = method.getKey().toUpperCase(Locale.ROOT) + " " + prefix + path.getKey();
                operation.getJsonObject("responses").forEach(response -> read(contract, name, response.getKey(), (JsonObject) response.getValue(), errors));
            }
        }));
    }

    private static void read(JsonObject contract, String operation, String status, JsonObject given, Map<String, Error> errors) {
        JsonObject response = given.containsKey(REFERENCE) ? component(contract, given.getString(REFERENCE)) : given;
        if (!response.getJsonObject("headers", new JsonObject()).containsKey("Error-Code")) {
            return;
        }
        response.getJsonObject("content").forEach(content -> ((JsonObject) content.getValue()).getJsonObject("examples", new JsonObject()).forEach(example -> {
            Error error = errors.computeIfAbsent(example.getKey(), code -> new Error());
            JsonObject shown = (JsonObject) example.getValue();
            error.sentences.putIfAbsent(sentence(shown.getValue("value")), shown.getString("summary", ""));
            if (status.equals("default")) {
                error.status = UNREACHED.get(example.getKey());
            } else {
                error.status = Integer.parseInt(status);
                error.operations.add(operation);
            }
        }));
    }

    private static String sentence(Object value) {
        return value instanceof JsonObject oauth ? oauth.getString("error_description") : value.toString();
    }

    private static JsonObject component(JsonObject contract, String reference) {
        JsonObject at = contract;
        for (String step : reference.substring("#/".length()).split("/")) {
            at = at.getJsonObject(step);
        }
        return at;
    }

    private static String section(String code, Error error) {
        String sentences = error.sentences.entrySet().stream()
                .map(one -> "<dt>%s</dt><dd>%s</dd>\n".formatted(escaped(one.getKey()), escaped(one.getValue()))).collect(Collectors.joining());
        String operations = error.operations.isEmpty() ? "<p>Before any operation is reached.</p>\n"
                : "<details><summary>%d operation%s</summary><ul>%s</ul></details>%n".formatted(error.operations.size(), error.operations.size() == 1 ? "" : "s",
                        error.operations.stream().map(name -> "<li><code>%s</code></li>".formatted(escaped(name))).collect(Collectors.joining()));
        String more = code.equals(REQUEST_INVALID) ? "<p>The sentence is the field or JSON pointer, a colon and what is wrong with it. These are examples.</p>\n" : "";
        return "<section id=\"%1$s\"><h2><a href=\"#%1$s\">%1$s</a> <span>%2$d %3$s</span></h2>%n%4$s<dl>%5$s</dl>%n%6$s</section>%n".formatted(
                code, error.status, HttpResponseStatus.valueOf(error.status).reasonPhrase(), more, sentences, operations);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
