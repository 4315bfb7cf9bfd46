package io.arbitration.platform.reference;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The contracts as files, {@code /openapi/<contract>.yaml} and {@code .json}, {@code platform} being all in one; the
 * description of events, {@code /asyncapi/events.yaml}; and the reference that shows the contracts, {@code /docs}, which needs
 * nothing from elsewhere. Each file is made when it is first asked for.
 */
public final class ReferencePages {

    static final String WHOLE = "platform";
    private static final String SWAGGER = "META-INF/maven/org.webjars/swagger-ui/pom.properties";
    private static final String YAML = "application/yaml";
    private static final String JSON = "application/json";
    /** The page runs its own scripts only and speaks to the platform only; the drawings in its style sheet are data. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
            + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private record File(String contentType, Buffer bytes, String entityTag) {}

    private final Vertx vertx;
    private final List<String> contracts;
    private final Map<String, Callable<File>> makers = new LinkedHashMap<>();
    private final Map<String, Future<File>> made = new ConcurrentHashMap<>();

    /** @param contracts names of the files below {@code openapi/} on the class path, in the order in which readers meet them */
    public ReferencePages(Vertx vertx, List<String> contracts) {
        this.vertx = vertx;
        this.contracts = contracts;
        for (String name : contracts) {
            makers.put("/openapi/%s.yaml".formatted(name), () -> file(YAML, resource("openapi/%s.yaml".formatted(name))));
            makers.put("/openapi/%s.json".formatted(name), () -> file(JSON, contract(name).encodePrettily().getBytes()));
        }
        makers.put("/openapi/%s.yaml".formatted(WHOLE), () -> file(YAML, whole(contracts)));
        makers.put("/openapi/%s.json".formatted(WHOLE), () -> file(JSON, bundle(contracts).encodePrettily().getBytes()));
        makers.put("/asyncapi/events.yaml", () -> file(YAML, resource("asyncapi/events.yaml")));
        makers.put("/docs", () -> file("text/html; charset=utf-8", resource("reference/index.html")));
        makers.put("/docs/page.js", () -> file("text/javascript; charset=utf-8", resource("reference/page.js")));
        makers.put("/docs/page.css", () -> file("text/css; charset=utf-8", resource("reference/page.css")));
        makers.put("/docs/swagger-ui-bundle.js", () -> file("text/javascript; charset=utf-8", swagger("swagger-ui-bundle.js")));
        makers.put("/docs/swagger-ui.css", () -> file("text/css; charset=utf-8", swagger("swagger-ui.css")));
        makers.put("/docs/favicon-32x32.png", () -> file("image/png", swagger("favicon-32x32.png")));
    }

    public void mount(Router router) {
        makers.keySet().forEach(path -> router.get(path).handler(context -> answer(context, path)));
    }

    private void answer(RoutingContext context, String path) {
        made.computeIfAbsent(path, first -> vertx.executeBlocking(makers.get(path), false)).onComplete(file -> {
            context.response()
                    .putHeader(HttpHeaders.ETAG, file.entityTag)
                    .putHeader(HttpHeaders.CACHE_CONTROL, "public, max-age=3600")
                    .putHeader("X-Content-Type-Options", "nosniff")
                    .putHeader("Content-Security-Policy", POLICY);
            if (file.entityTag.equals(context.request().getHeader(HttpHeaders.IF_NONE_MATCH))) {
                context.response().setStatusCode(304).end();
            } else {
                context.response().putHeader(HttpHeaders.CONTENT_TYPE, file.contentType).end(file.bytes);
            }
        }, context::fail);
    }

    /** All of these contracts in one document, in YAML, as it is served. */
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
                .put("license", first.getJsonObject("license")), all);
    }

    private static JsonObject contract(String name) throws IOException {
        @SuppressWarnings("unchecked")
        Map<String, Object> root = new YAMLMapper().readValue(resource("openapi/%s.yaml".formatted(name)), Map.class);
        // Through its text, so that what is inside are JSON's own objects, too.
        return new JsonObject(new JsonObject(root).encode());
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

    private static File file(String contentType, byte[] bytes) {
        try {
            String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
            return new File(contentType, Buffer.buffer(bytes), "\"" + hash + "\"");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
