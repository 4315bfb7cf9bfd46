package io.arbitration.platform.console;

import io.arbitration.platform.answer.CachedBody;
import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.limits.RateLimiter;
import io.arbitration.platform.pipeline.ReplySender;
import io.arbitration.platform.request.ClientAddress;
import io.arbitration.platform.request.ClientNetwork;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The web console: one page for every address below {@code /console}, and the scripts and styles that the build made, whose names
 * contain their hashes, so that a browser can cache them for ever. The root of the platform redirects to it. It has no operation
 * of its own: the page calls the areas like any other client, with the cookie of its browser.
 *
 * <p>Without the bundle in the class folder, as for developers, a node still serves everything else; the page then names what is
 * missing.
 */
public final class ConsolePages {

    static final String ROOT = "/console";
    private static final String FOLDER = "console/";
    private static final String SCRIPT = "text/javascript; charset=utf-8";
    private static final Map<String, String> TYPES = Map.of(
            "js", SCRIPT, "css", "text/css; charset=utf-8", "svg", "image/svg+xml");
    private static final String HTML = "text/html; charset=utf-8";
    /**
     * The page executes and shows only resources of this origin, and PDFs in answers. Text can become markup only in the
     * templates of its library, and an address a script only for the service worker, which shows push messages.
     */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src blob:; "
            + "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html acp-worker";
    private static final String NOT_BUILT = "The console is not in this build: ./acp build makes it. The operations work all the same; their reference is at /docs.";

    private final ReplySender sender;
    private final RateLimiter addresses;
    private final RateLimiter assetsOfAddresses;
    private final Map<String, Reply> assets = new HashMap<>();
    private final Reply page;
    private final Optional<Reply> licence;
    private final Optional<Reply> worker;

    /**
     * Reads the bundle.
     *
     * @param addresses rate of each address, because no token is needed here
     * @param assetsOfAddresses the same for scripts and styles, of which a browser requests many at once and then none
     * @param signIns names of the providers at which browsers sign in
     */
    public ConsolePages(ReplySender sender, RateLimiter addresses, RateLimiter assetsOfAddresses, List<String> signIns) {
        this.sender = sender;
        this.addresses = addresses;
        this.assetsOfAddresses = assetsOfAddresses;
        Optional<JsonObject> bundle = resource("assets.json").map(Buffer::buffer).map(JsonObject::new);
        bundle.ifPresent(built -> names(built.getJsonArray("files")).forEach(name -> assets.put(name, asset(name))));
        this.page = bundle.map(built -> page(built, signIns))
                .orElseGet(() -> new Reply(503, "text/plain; charset=utf-8", Buffer.buffer(NOT_BUILT), Map.of()));
        this.licence = resource("licence-of-lit.txt").map(text -> new Reply(200, "text/plain; charset=utf-8", Buffer.buffer(text), Map.of()));
        this.worker = resource("service-worker.js").map(script -> Reply.kept(SCRIPT, CachedBody.of(SCRIPT, script),
                Map.of("Cache-Control", "no-cache", "Content-Security-Policy", "default-src 'none'")));
    }

    public void mount(Router router) {
        router.get("/").handler(this::lead);
        router.get(ROOT).handler(context -> send(context, Optional.of(page)));
        router.get(ROOT + "/licence-of-lit.txt").handler(context -> send(context, licence));
        router.get(ROOT + "/service-worker.js").handler(context -> send(context, worker));
        router.get(ROOT + "/assets/:name").handler(context -> send(context, assetsOfAddresses, Optional.ofNullable(assets.get(context.pathParam("name")))));
        router.get(ROOT + "/*").handler(context -> send(context, Optional.of(page)));
    }

    private void send(RoutingContext context, Optional<Reply> reply) {
        send(context, addresses, reply);
    }

    private void send(RoutingContext context, RateLimiter rate, Optional<Reply> reply) {
        rate.admit(ClientNetwork.of(ClientAddress.of(context)));
        reply.ifPresentOrElse(found -> sender.send(context, found), () -> context.fail(HttpError.PATH.refusal()));
    }

    /** Redirects to the console. Keeps the query of the address, such as the invitation in the link of an email. */
    private void lead(RoutingContext context) {
        addresses.admit(ClientNetwork.of(ClientAddress.of(context)));
        String query = context.request().query();
        context.response().setStatusCode(302).putHeader(HttpHeaders.CACHE_CONTROL, "no-cache")
                .putHeader(HttpHeaders.LOCATION, query == null ? ROOT : ROOT + "?" + query).end();
    }

    private static Reply asset(String name) {
        String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        return Reply.kept(type, CachedBody.of(type, built("assets/" + name)), Map.of("Cache-Control", "public, max-age=31536000, immutable"));
    }

    private static Reply page(JsonObject bundle, List<String> signIns) {
        StringBuilder head = new StringBuilder();
        signIns.forEach(name -> head.append("<meta name=\"sign-in\" content=\"").append(name).append("\">\n"));
        head.append("<link rel=\"stylesheet\" href=\"").append(address(bundle.getString("style"))).append("\">\n");
        names(bundle.getJsonArray("preload")).forEach(name -> head.append("<link rel=\"modulepreload\" href=\"").append(address(name)).append("\">\n"));
        head.append("<script type=\"module\" src=\"").append(address(bundle.getString("script"))).append("\"></script>");
        String html = new String(built("index.html"), StandardCharsets.UTF_8).replace("<!-- head -->", head);
        return Reply.kept(HTML, CachedBody.of(HTML, html.getBytes(StandardCharsets.UTF_8)), Map.of("Cache-Control", "no-cache",
                "Content-Security-Policy", POLICY, "Cross-Origin-Opener-Policy", "same-origin", "Cross-Origin-Resource-Policy", "same-origin"));
    }

    private static String address(String name) {
        return ROOT + "/assets/" + name;
    }

    private static List<String> names(JsonArray all) {
        return all.stream().map(String.class::cast).toList();
    }

    private static byte[] built(String name) {
        return resource(name).orElseThrow(() -> new IllegalStateException("the console's bundle lacks " + name));
    }

    private static Optional<byte[]> resource(String name) {
        try (InputStream in = ConsolePages.class.getClassLoader().getResourceAsStream(FOLDER + name)) {
            return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
