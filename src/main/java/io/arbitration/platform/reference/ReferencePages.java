package io.arbitration.platform.reference;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.arbitration.platform.answer.CachedBody;
import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.limits.RateLimiter;
import io.arbitration.platform.pipeline.ContractFile;
import io.arbitration.platform.pipeline.ReplySender;
import io.arbitration.platform.request.ClientAddress;
import io.arbitration.platform.request.ClientNetwork;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The contracts as files, {@code /openapi/<contract>.yaml} and {@code .json}, with {@code platform} for all in one; the
 * descriptions of events, {@code /asyncapi/events.yaml}, and of the event bus, {@code /asyncapi/event-bus.yaml}; the reference
 * that shows the contracts, {@code /docs}, which loads nothing from other servers; the page of all errors, {@code /docs/errors};
 * and the documentation, {@code /docs/guides}, which the build made. Each file is created and compressed at its first request,
 * and cached.
 */
public final class ReferencePages {

    static final String WHOLE = "platform";
    private static final List<String> DEMO = List.of("demo-identity", "demo-emails");
    private static final List<String> EVENTS = List.of("events", "event-bus");
    private static final String SWAGGER = "META-INF/maven/org.webjars/swagger-ui/pom.properties";
    private static final String YAML = "application/yaml";
    private static final String JSON = "application/json";
    /** The page executes only its own scripts and sends requests only to the platform; the drawings in its style sheet are data. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
            + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final Vertx vertx;
    private final ReplySender sender;
    private final RateLimiter addresses;
    private final List<String> contracts;
    private final Map<String, Callable<Reply>> makers = new LinkedHashMap<>();
    private final Map<String, Future<Reply>> made = new ConcurrentHashMap<>();

    /**
     * @param addresses rate of each address, because these pages need no token
     * @param contracts names of the files below {@code openapi/} on the class path, in the order of the reference
     */
    public ReferencePages(Vertx vertx, ReplySender sender, RateLimiter addresses, List<String> contracts) {
        this.vertx = vertx;
        this.sender = sender;
        this.addresses = addresses;
        this.contracts = contracts;
        for (String name : contracts) {
            makers.put("/openapi/%s.yaml".formatted(name), () -> file(YAML, resource("openapi/%s.yaml".formatted(name))));
            makers.put("/openapi/%s.json".formatted(name), () -> file(JSON, contract(name).encodePrettily().getBytes()));
        }
        makers.put("/openapi/%s.yaml".formatted(WHOLE), () -> file(YAML, whole(contracts)));
        makers.put("/openapi/%s.json".formatted(WHOLE), () -> file(JSON, bundle(contracts).encodePrettily().getBytes()));
        for (String name : EVENTS) {
            makers.put("/asyncapi/%s.yaml".formatted(name), () -> file(YAML, resource("asyncapi/%s.yaml".formatted(name))));
        }
        makers.put("/docs", () -> file("text/html; charset=utf-8", resource("reference/index.html")));
        makers.put("/docs/errors", () -> file("text/html; charset=utf-8", errors().getBytes(StandardCharsets.UTF_8)));
        makers.put("/docs/page.js", () -> file("text/javascript; charset=utf-8", resource("reference/page.js")));
        makers.put("/docs/page.css", () -> file("text/css; charset=utf-8", resource("reference/page.css")));
        makers.put("/docs/swagger-ui-bundle.js", () -> file("text/javascript; charset=utf-8", swagger("swagger-ui-bundle.js")));
        makers.put("/docs/swagger-ui.css", () -> file("text/css; charset=utf-8", swagger("swagger-ui.css")));
        makers.put("/docs/favicon-32x32.png", () -> file("image/png", swagger("favicon-32x32.png")));
        makers.putAll(GuidePages.makers());
    }

    public void mount(Router router) {
        makers.keySet().stream().filter(path -> !path.startsWith(GuidePages.ROOT)).forEach(path -> router.get(path).handler(context -> answer(context, path)));
        // One route for all guides: every request to an area passes the routes of these pages.
        router.get(GuidePages.ROOT + "/*").handler(context -> {
            if (makers.containsKey(GuidePages.ROOT)) {
                answer(context, context.normalizedPath().replaceFirst("/$", ""));
            } else {
                sender.send(context, GuidePages.NOT_BUILT);
            }
        });
    }

    private void answer(RoutingContext context, String path) {
        addresses.admit(ClientNetwork.of(ClientAddress.of(context)));
        if (!makers.containsKey(path)) {
            context.fail(HttpError.PATH.refusal());
            return;
        }
        made.computeIfAbsent(path, first -> vertx.executeBlocking(makers.get(path), false))
                .onComplete(reply -> sender.send(context, reply), failed -> {
                    made.remove(path);
                    context.fail(failed);
                });
    }

    /** Including those of the demo, because problem details of its operations refer to the page as well. */
    private String errors() throws IOException {
        List<JsonObject> all = new ArrayList<>();
        for (String name : contracts) {
            all.add(contract(name));
        }
        for (String name : DEMO) {
            all.add(contract(name));
        }
        return ErrorsPage.html(all);
    }

    /** All of these contracts in one document, in YAML, as served. */
    public static byte[] whole(List<String> contracts) throws IOException {
        return yaml(bundle(contracts));
    }

    private static JsonObject bundle(List<String> contracts) throws IOException {
        Map<String, JsonObject> all = new LinkedHashMap<>();
        for (String name : contracts) {
            all.put(name, contract(name));
        }
        JsonObject first = all.values().iterator().next().getJsonObject("info");
        return ContractBundle.of(new JsonObject()
                .put("title", "Arbitration Case Platform")
                .put("version", first.getString("version"))
                .put("description", "All areas of the platform in one document; each has a contract of its own beside this one.")
                .put("contact", first.getJsonObject("contact"))
                .put("license", first.getJsonObject("license")), all);
    }

    private static JsonObject contract(String name) {
        // Converted to text and back, so that nested values are Vert.x JSON objects.
        return new JsonObject(ContractFile.read(name).encode());
    }

    private static byte[] yaml(JsonObject document) throws IOException {
        return YAMLMapper.builder().disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER).disable(YAMLGenerator.Feature.SPLIT_LINES)
                .enable(YAMLGenerator.Feature.LITERAL_BLOCK_STYLE).build().writeValueAsBytes(new JsonMapper().readTree(document.encode()));
    }

    /** A file of Swagger UI, whose folder is named after its version. */
    private static byte[] swagger(String name) throws IOException {
        Properties about = new Properties();
        about.load(new ByteArrayInputStream(resource(SWAGGER)));
        return resource("META-INF/resources/webjars/swagger-ui/%s/%s".formatted(about.getProperty("version"), name));
    }

    private static byte[] resource(String name) {
        try (InputStream in = ReferencePages.class.getClassLoader().getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("not on the class path: " + name);
            }
            return in.readAllBytes();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static Reply file(String contentType, byte[] bytes) {
        return Reply.kept(contentType, CachedBody.of(contentType, bytes), Map.of("Cache-Control", "public, max-age=3600",
                "X-Content-Type-Options", "nosniff", "Content-Security-Policy", POLICY));
    }
}
