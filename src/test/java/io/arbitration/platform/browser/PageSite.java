package io.arbitration.platform.browser;

import io.arbitration.Await;
import io.arbitration.TestFolders;
import io.arbitration.platform.outbound.AddressRules;
import io.arbitration.platform.outbound.Cidr;
import io.arbitration.platform.outbound.EgressProxy;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;

/** A web site at 127.0.0.2, which may be reached, and a browser that looks at it. */
final class PageSite implements AutoCloseable {

    static final String HOST = "127.0.0.2";

    private final Vertx vertx = Vertx.vertx();
    private final Map<String, Handler<HttpServerRequest>> paths = new ConcurrentHashMap<>();
    private final List<String> hits = new CopyOnWriteArrayList<>();
    private final HttpServer server;
    private final Path folder;
    private final BrowserSettings settings;
    private final Pages pages;
    private final TestNames names;
    private boolean closed;

    private PageSite(Optional<Path> binary, Duration deadline, int pagesMax, long pageBytesMax, Path folder) {
        this.folder = folder;
        this.server = await(vertx.createHttpServer().requestHandler(request -> {
            hits.add(request.path());
            paths.getOrDefault(request.path(), other -> other.response().setStatusCode(404).end()).handle(request);
        }).listen(0, HOST));
        this.names = await(TestNames.open(vertx));
        this.settings = new BrowserSettings(binary.map(Path::toString), folder, 2, 8, deadline, pagesMax, pageBytesMax, 4L * pageBytesMax, 16 << 20, 128, true);
        this.pages = Pages.open(vertx, settings, new EgressProxy(vertx, new AddressRules(List.of(Cidr.parse(HOST)), () -> 0), names.servers(),
                new EgressProxy.Bounds(settings.connectionsMax(), settings.downloadBytesMax())), new SimpleMeterRegistry());
    }

    /** A process that shows a page, tells the processes of its browser and waits for its end: binary, folder. */
    public static void main(String[] arguments) throws InterruptedException {
        PageSite site = open(Optional.of(Path.of(arguments[0])), Duration.ofSeconds(60), 1000, 1L << 30, Path.of(arguments[1]));
        site.page("/plain", "plain");
        site.picture("/plain", 10, 10);
        System.out.println(site.pages().processes().stream().map(process -> String.valueOf(process.pid())).collect(Collectors.joining(" ")));
        Thread.currentThread().join();
    }

    /** With the browser of this machine; the test is skipped where there is none. */
    static PageSite open() {
        return open(binary(), Duration.ofSeconds(15), 1000, 1L << 30);
    }

    static PageSite open(Optional<Path> binary, Duration deadline, int pagesMax, long pageBytesMax) {
        return open(binary, deadline, pagesMax, pageBytesMax, TestFolders.create("pages-"));
    }

    /** With the profiles in a folder. */
    static PageSite open(Optional<Path> binary, Duration deadline, int pagesMax, long pageBytesMax, Path folder) {
        return new PageSite(binary, deadline, pagesMax, pageBytesMax, folder);
    }

    static Optional<Path> binary() {
        Optional<Path> binary = Chromium.find(Optional.ofNullable(System.getenv("ACP_CHROMIUM")));
        if (binary.isEmpty()) {
            System.out.println("skipped: no Chromium on this machine");
        }
        Assumptions.assumeTrue(binary.isPresent(), "no Chromium");
        return binary;
    }

    static <T> T await(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }

    /** Waits until something is so. */
    static void await(BooleanSupplier so, Supplier<String> otherwise) {
        Await.until(otherwise, Await.BOUND, so::getAsBoolean);
    }

    Vertx vertx() {
        return vertx;
    }

    Pages pages() {
        return pages;
    }

    Path folder() {
        return folder;
    }

    String url() {
        return "http://%s:%d".formatted(HOST, server.actualPort());
    }

    int port() {
        return server.actualPort();
    }

    /** What was asked of the site, in order. */
    List<String> hits() {
        return hits;
    }

    void page(String path, String html) {
        on(path, request -> request.response().putHeader("Content-Type", "text/html; charset=utf-8").end(html));
    }

    void on(String path, Handler<HttpServerRequest> handler) {
        paths.put(path, handler);
    }

    Buffer picture(String path, int width, int height) {
        return await(pages.picture(new Object(), url() + path, width, height));
    }

    Buffer print(String html) {
        return await(pages.print(html));
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        await(pages.close());
        await(vertx.close());
    }
}
