package io.arbitration.platform.reference;

import io.arbitration.platform.answer.CachedBody;
import io.arbitration.platform.answer.Reply;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * The documentation that the build made from the repository's Markdown: pages, with their script, style and search index, below
 * {@code /docs/guides}.
 *
 * <p>Without these files in the class folder, as for developers, a node still serves everything else; the address then names what
 * is missing.
 */
final class GuidePages {

    static final String ROOT = "/docs/guides";
    static final Reply NOT_BUILT = new Reply(503, "text/plain; charset=utf-8",
            Buffer.buffer("The documentation is not in this build: ./acp build makes it. In the repository it begins at docs/README.md."), Map.of());
    private static final String FOLDER = "documentation/";
    /** Only files that are served beside a page are executed, applied or loaded, and no text becomes markup. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

    private GuidePages() {}

    /** The sources of the answers by address; empty if the build omitted the documentation. */
    static Map<String, Callable<Reply>> makers() {
        Map<String, Callable<Reply>> makers = new LinkedHashMap<>();
        try (InputStream list = resource("pages.json")) {
            if (list != null) {
                new JsonArray(Buffer.buffer(list.readAllBytes())).stream().map(JsonObject.class::cast).forEach(page ->
                        makers.put(page.getString("address"), () -> reply(page.getString("file"), page.getString("contentType"))));
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        return makers;
    }

    /**
     * A browser checks each time whether a page has changed, so that no page of an older release is shown with the style of a
     * newer one.
     */
    private static Reply reply(String file, String contentType) throws IOException {
        try (InputStream in = resource(file)) {
            if (in == null) {
                throw new FileNotFoundException("not on the class path: " + FOLDER + file);
            }
            return Reply.kept(contentType, CachedBody.of(contentType, in.readAllBytes()), Map.of("Cache-Control", "no-cache",
                    "X-Content-Type-Options", "nosniff", "Content-Security-Policy", POLICY));
        }
    }

    private static InputStream resource(String name) {
        return GuidePages.class.getClassLoader().getResourceAsStream(FOLDER + name);
    }
}
