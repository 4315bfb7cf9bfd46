package io.arbitration.platform.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.Await;
import io.arbitration.Keytool;
import io.arbitration.platform.answer.Refusal;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.JksOptions;
import io.vertx.core.net.NetServer;
import java.awt.image.BufferedImage;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages that do what they should not, and a browser that dies: each page ends with a clear error, and the next is shown. */
class HostilePagesIT {

    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofSeconds(4);
    private static final long PAGE_BYTES_MAX = 400_000_000;
    private static PageSite site;
    /** The same pages where they have little time. */
    private static PageSite hurried;

    @BeforeAll
    static void open() {
        site = PageSite.open(PageSite.binary(), DEADLINE, 1000, PAGE_BYTES_MAX);
        hurried = PageSite.open(PageSite.binary(), SHORT, 1000, PAGE_BYTES_MAX);
        pages(hurried);
        pages(site);
    }

    private static void pages(PageSite site) {
        site.page("/plain", "<body style='margin:0;background:#00ff00'>");
        site.on("/no-answer", request -> {});
        site.on("/no-end", request -> goOn(site, request.response().setChunked(true).putHeader("Content-Type", "text/html")));
        site.page("/loop", "<script>for (;;) {}</script>");
        site.page("/loop-when-loaded", "<script>onload = () => { for (;;) {} }</script>");
        site.page("/dialogs", "<script>for (;;) alert('Hello')</script>");
        site.page("/prompts", "<script>onbeforeunload = () => 'stay'; for (;;) { confirm('Stay?'); prompt('Name?'); }</script>");
        site.page("/leads-on", "<script>location = '/leads-on?' + Math.random()</script>");
        site.page("/refreshes", "<meta http-equiv=refresh content='0;url=/refreshes'>");
        site.on("/redirects", request -> request.response().setStatusCode(302).putHeader("Location", "/redirects?" + request.uri().length()).end());
        site.on("/password", request -> request.response().setStatusCode(401).putHeader("WWW-Authenticate", "Basic realm=\"inside\"").end("no"));
        site.on("/nothing", request -> request.response().setStatusCode(204).end());
        site.on("/paper", request -> request.response().putHeader("Content-Type", "application/pdf").end("%PDF-1.7"));
        site.on("/attached", request -> request.response().putHeader("Content-Type", "text/html").putHeader("Content-Disposition", "attachment; filename=x.html").end("x"));
        site.on("/breaks-off", request -> request.response().putHeader("Content-Type", "text/html").putHeader("Content-Length", "1000").write("<h1>")
                .onComplete(written -> request.connection().close()));
        site.on("/large", request -> large(request.response().setChunked(true).putHeader("Content-Type", "text/html")));
        site.page("/leaves-the-web", "<script>location = 'about:blank'</script>");
    }

    @AfterAll
    static void close() {
        hurried.close();
        site.close();
        assertThat(hurried.folder()).isEmptyDirectory();
        assertThat(site.folder()).isEmptyDirectory();
    }

    /** Whatever a page did, the browser serves the next one, and keeps neither its windows nor its processes. */
    @AfterEach
    void theNextPageIsShown() throws IOException {
        BufferedImage image = image(site.picture("/plain", 20, 10));
        assertThat(image.getRGB(19, 9) & 0xffffff).isEqualTo(0x00ff00);
    }

    private static BufferedImage image(Buffer png) throws IOException {
        return ImageIO.read(new ByteArrayInputStream(png.getBytes()));
    }

    private static void goOn(PageSite site, HttpServerResponse response) {
        response.write("<p>and on</p>\n").onSuccess(written -> site.vertx().setTimer(20, later -> goOn(site, response)));
    }

    private static void large(HttpServerResponse response) {
        response.write(Buffer.buffer(new byte[65_536])).onSuccess(written -> large(response));
    }

    private static String failure(String url) {
        try {
            PageSite.await(site.pages().picture(new Object(), url, 100, 100));
            return "it was shown";
        } catch (CompletionException failed) {
            assertThat(failed.getCause()).isInstanceOf(PageFailure.class);
            return failed.getCause().getMessage();
        }
    }

    @Test
    void aPageThatTakesTooLongEndsInItsTimeAndTheNextIsShown() {
        List<Future<Buffer>> all = Stream.of("/no-answer", "/no-end", "/loop", "/loop-when-loaded")
                .map(path -> hurried.pages().picture(new Object(), hurried.url() + path, 10, 10)).toList();
        for (Future<Buffer> one : all) {
            assertThatThrownBy(() -> PageSite.await(one)).cause().satisfiesAnyOf(
                    late -> assertThat(late).isInstanceOf(PageFailure.class).hasMessage("it was not there within 4000 ms"),
                    // Whose turn came as its time was over.
                    busy -> assertThat(busy).isInstanceOf(Refusal.class));
        }
        assertThat(all.stream().filter(one -> one.cause() instanceof PageFailure)).hasSizeGreaterThanOrEqualTo(2);
        PageSite.await(() -> hurried.pages().picture(new Object(), hurried.url() + "/plain", 10, 10).otherwiseEmpty().toCompletionStage().toCompletableFuture().join() != null,
                () -> "no page is shown any more");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/dialogs", "/prompts"})
    void dialogsAreDismissedTenTimes(String path) {
        assertThat(failure(site.url() + path)).isEqualTo("it opens dialogs without end");
    }

    @Test
    void aPageMayAskAFewQuestions() throws IOException {
        site.page("/asks", "<body style='margin:0'><script>document.body.style.background = confirm('Green?') ? '#ff0000' : '#0000ff'; alert('So be it.')</script>");
        assertThat(image(site.picture("/asks", 10, 10)).getRGB(5, 5) & 0xffffff).isEqualTo(0x0000ff);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/leads-on", "/refreshes"})
    void aPageThatLeadsOnForEverIsGivenUp(String path) {
        assertThat(failure(site.url() + path)).isEqualTo("it leads from page to page without end");
    }

    @Test
    void whatIsNoPageIsToldByItsReason() throws Exception {
        assertThat(failure(site.url() + "/redirects")).isEqualTo("net::ERR_TOO_MANY_REDIRECTS");
        assertThat(failure(site.url() + "/password")).isIn("status 401", "net::ERR_INVALID_AUTH_CREDENTIALS");
        assertThat(failure(site.url() + "/missing")).isEqualTo("status 404");
        assertThat(failure(site.url() + "/nothing")).isEqualTo("net::ERR_ABORTED");
        assertThat(failure(site.url() + "/paper")).isIn("net::ERR_ABORTED", "it is no page but application/pdf");
        assertThat(failure(site.url() + "/attached")).isEqualTo("net::ERR_ABORTED");
        assertThat(failure(site.url() + "/large")).startsWith("net::ERR_");
        assertThat(failure(site.url() + "/breaks-off")).startsWith("net::ERR_");
        assertThat(failure(site.url() + "/leaves-the-web")).isEqualTo("it leads to what is no page");
        assertThat(failure("http://nowhere.invalid/")).isEqualTo("status 502");
        assertThat(failure("https://nowhere.invalid/")).isEqualTo("net::ERR_TUNNEL_CONNECTION_FAILED");
        assertThat(failure("http://127.0.0.2:2/")).isEqualTo("status 502");
        assertThat(failure("http://10.0.0.1/")).isEqualTo("status 403");
        assertThat(failure("http://127.0.0.2:25/")).isEqualTo("net::ERR_UNSAFE_PORT");
    }

    @Test
    void aServerThatSpeaksNoTlsOrHasNoCertificateThatHoldsIsNotShown(@TempDir Path folder) throws Exception {
        NetServer plain = PageSite.await(site.vertx().createNetServer().connectHandler(socket -> socket.handler(hello -> socket.end(Buffer.buffer("HTTP/1.1 400 Bad Request\r\n\r\n"))))
                .listen(0, PageSite.HOST));
        assertThat(failure("https://%s:%d/".formatted(PageSite.HOST, plain.actualPort()))).startsWith("net::ERR_SSL");
        Path keys = folder.resolve("keys.jks");
        Keytool.run("-genkeypair", "-keyalg", "EC", "-alias", "x", "-dname", "CN=outer.test", "-ext", "san=dns:outer.test", "-keystore", keys.toString(),
                "-storetype", "JKS", "-storepass", "secret", "-keypass", "secret");
        HttpServer own = PageSite.await(site.vertx().createHttpServer(new HttpServerOptions().setSsl(true)
                .setKeyCertOptions(new JksOptions().setPath(keys.toString()).setPassword("secret"))).requestHandler(request -> request.response().end("hello"))
                .listen(0, PageSite.HOST));
        assertThat(failure("https://outer.test:%d/".formatted(own.actualPort()))).isEqualTo("net::ERR_CERT_AUTHORITY_INVALID");
        assertThat(failure("https://%s:%d/".formatted(PageSite.HOST, own.actualPort()))).startsWith("net::ERR_CERT_");
    }

    @Test
    void aNameThatLeadsOutsideIsFollowed() throws IOException {
        assertThat(image(PageSite.await(site.pages().picture(new Object(), "http://outer.test:%d/plain".formatted(site.port()), 10, 10))).getRGB(5, 5) & 0xffffff)
                .isEqualTo(0x00ff00);
    }

    @Test
    void aPictureOfAVeryTallPageIsItsTop() throws IOException {
        site.page("/tall", "<body style='margin:0'><div style='height:100000px;background:linear-gradient(#ff0000 50%, #0000ff 50%)'></div>");
        BufferedImage image = image(site.picture("/tall", 300, 200));
        assertThat(image.getWidth()).isEqualTo(300);
        assertThat(image.getHeight()).isEqualTo(200);
        assertThat(image.getRGB(299, 199) & 0xffffff).isEqualTo(0xff0000);
    }

    @Test
    void aPageThatIsNeverQuietIsShownAsItIsAfterAWhile() throws IOException {
        hurried.page("/asks-for-ever", "<body style='margin:0;background:#336699'><script>const ask = () => fetch('/no-answer-here?' + Math.random()).finally(ask); ask(); ask();</script>");
        hurried.page("/misses-an-image", "<body style='margin:0;background:#336699'><img src=/no-answer>");
        for (String path : List.of("/asks-for-ever", "/misses-an-image")) {
            // Within its deadline, for which a busy machine may need another go.
            Await.despiteFailures(path, Await.BOUND, () -> (image(hurried.picture(path, 100, 100)).getRGB(99, 99) & 0xffffff) == 0x336699);
        }
    }

    @Test
    void windowsThatAPageOpensAreClosed() throws IOException {
        site.page("/opens-windows", "<body style='margin:0;background:#112233'><script>for (let i = 0; i < 1000; i++) window.open('/plain?' + i)</script>");
        try {
            assertThat(image(site.picture("/opens-windows", 10, 10)).getRGB(5, 5) & 0xffffff).isEqualTo(0x112233);
        } catch (CompletionException failed) {
            assertThat(failed.getCause()).isInstanceOf(PageFailure.class).hasMessage("it opens windows without end");
        }
        PageSite.await(() -> site.pages().processes().size() < 20, () -> "processes left: " + site.pages().processes());
    }

    @Test
    void aPageThatTakesTooMuchMemoryIsEnded() {
        site.page("/allocates", """
                <script>const kept = []; const more = () => { for (let i = 0; i < 4; i++) kept.push(new Uint8Array(4 << 20).fill(1));
                if (kept.length < 1024) setTimeout(more, 1); }; more();</script><img src=/no-answer>""");
        assertThat(failure(site.url() + "/allocates")).isEqualTo("it took more memory than a page may");
    }

    @Test
    void aPageThatComputesForLongGoesOnWithTheLowestPriorityAndItAlone() {
        site.page("/computes", "<script>const code = URL.createObjectURL(new Blob(['for (;;) {}'])); for (let i = 0; i < 4; i++) new Worker(code);</script><img src=/no-answer>");
        Future<Buffer> picture = site.pages().picture(new Object(), site.url() + "/computes", 10, 10);
        PageSite.await(() -> lowered().count() == 1, () -> "the priorities are " + site.pages().processes().stream().map(BrowserProcess::priorities).toList());
        assertThat(lowered()).allMatch(process -> BrowserProcess.isRenderer(process.pid()));
        PageSite.await(picture);
    }

    private static Stream<BrowserProcess> lowered() {
        return site.pages().processes().stream().filter(process -> process.priorities().contains(BrowserProcess.LOWEST_PRIORITY));
    }

    /** What it takes is in a process that all pages of the browser share, and so is gone for each of them. */
    @Test
    void aPageThatFillsTheBrowserItselfIsEndedAndThePageBesideItIsShown() throws IOException {
        site.page("/fills-the-browser", """
                <script>const kept = []; const more = () => { kept.push(new Blob([new Uint8Array(8 << 20).fill(kept.length + 1)]));
                if (kept.length < 200) setTimeout(more, 1); }; more();</script><img src=/no-answer>""");
        Promise<HttpServerRequest> asked = hold("/beside");
        Future<Buffer> beside = site.pages().picture(new Object(), site.url() + "/beside", 10, 10);
        PageSite.await(asked.future());
        assertThat(failure(site.url() + "/fills-the-browser")).isEqualTo("it took more memory than a page may");
        assertThat(image(PageSite.await(beside)).getRGB(5, 5) & 0xffffff).isEqualTo(0x445566);
        assertThat(site.hits().stream().filter("/beside"::equals)).as("its first browser was ended").hasSize(2);
    }

    private static Promise<HttpServerRequest> hold(String path) {
        Promise<HttpServerRequest> asked = Promise.promise();
        site.on(path, request -> {
            if (!asked.tryComplete(request)) {
                request.response().putHeader("Content-Type", "text/html").end("<body style='margin:0;background:#445566'>");
            }
        });
        return asked;
    }

    private static void kill(Set<Long> processes) {
        processes.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    }

    private static Set<Long> pids() {
        return site.pages().processes().stream().map(BrowserProcess::pid).collect(Collectors.toSet());
    }

    @Test
    void aPageWhoseBrowserIsKilledIsShownByTheNextBrowser() throws IOException {
        Promise<HttpServerRequest> asked = hold("/browser-dies");
        Future<Buffer> picture = site.pages().picture(new Object(), site.url() + "/browser-dies", 10, 10);
        PageSite.await(asked.future());
        Set<Long> before = pids();
        long main = site.pages().mainProcesses().getFirst();
        assertThat(before).hasSizeGreaterThan(2).contains(main);
        kill(Set.of(main));
        assertThat(image(PageSite.await(picture)).getRGB(5, 5) & 0xffffff).isEqualTo(0x445566);
        PageSite.await(() -> before.stream().noneMatch(BrowserProcess::isAlive), () -> "still there of the browser that was killed: " + before);
        assertThat(pids()).doesNotContainAnyElementsOf(before);
    }

    @Test
    void aPageWhoseOwnProcessIsKilledIsTriedAgain() throws IOException {
        Promise<HttpServerRequest> asked = hold("/page-dies");
        Future<Buffer> picture = site.pages().picture(new Object(), site.url() + "/page-dies", 10, 10);
        PageSite.await(asked.future());
        long main = site.pages().mainProcesses().getFirst();
        kill(site.pages().processes().stream().map(BrowserProcess::pid).filter(BrowserProcess::isRenderer).collect(Collectors.toSet()));
        assertThat(image(PageSite.await(picture)).getRGB(5, 5) & 0xffffff).isEqualTo(0x445566);
        PageSite.await(() -> site.pages().mainProcesses().equals(List.of(main)),
                () -> "the browser goes on, and the one that showed the page again ends: " + site.pages().mainProcesses());
    }

    @Test
    void aPageThatKillsItsBrowserTwiceIsNotTriedForEver() {
        site.on("/kills", request -> kill(Set.copyOf(site.pages().mainProcesses())));
        assertThat(failure(site.url() + "/kills")).isEqualTo("the browser has gone");
        assertThat(site.hits().stream().filter("/kills"::equals)).hasSize(2);
    }

    /** Somebody else's page neither waits for them to end nor is refused. */
    @Test
    void whoCapturesPagesThatNeverEndLeavesRoomForOthers() {
        // A busy machine may need all the time of those that never end for the other's page.
        Await.until("another's page is shown before they end", () -> {
            List<Future<Buffer>> endless = Stream.generate(() -> hurried.pages().picture("one", hurried.url() + "/no-answer", 10, 10)).limit(4).toList();
            Buffer shown = PageSite.await(hurried.pages().picture("other", hurried.url() + "/plain", 10, 10).otherwiseEmpty());
            boolean before = endless.stream().noneMatch(Future::isComplete);
            endless.forEach(one -> assertThatThrownBy(() -> PageSite.await(one)).cause().isInstanceOfAny(PageFailure.class, Refusal.class));
            return shown != null && shown.length() > 0 && before;
        });
    }

    @Test
    void moreThanMayWaitAreRefused() {
        List<Future<Buffer>> all = Stream.generate(() -> hurried.pages().picture(new Object(), hurried.url() + "/no-answer", 10, 10)).limit(14).toList();
        List<Throwable> failures = new ArrayList<>();
        for (Future<Buffer> one : all) {
            assertThatThrownBy(() -> PageSite.await(one)).satisfies(failed -> failures.add(failed.getCause()));
        }
        // Two are shown, eight wait, and of these those that do not get their turn in time are refused as well.
        assertThat(failures).filteredOn(Refusal.class::isInstance).hasSizeBetween(4, 12).allSatisfy(refused -> {
            assertThat(((Refusal) refused).status()).isEqualTo(503);
            assertThat(((Refusal) refused).retryAfterSeconds()).isPresent();
        });
        assertThat(failures).filteredOn(PageFailure.class::isInstance).hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void aBrowserIsReplacedAfterItsPagesAndNothingOfItIsLeft() {
        try (PageSite few = PageSite.open(PageSite.binary(), Duration.ofSeconds(15), 3, 1L << 30)) {
            few.page("/plain", "plain");
            few.picture("/plain", 10, 10);
            Set<Long> first = few.pages().processes().stream().map(BrowserProcess::pid).collect(Collectors.toSet());
            assertThat(first).isNotEmpty();
            for (int i = 0; i < 4; i++) {
                few.picture("/plain", 10, 10);
            }
            PageSite.await(() -> first.stream().noneMatch(BrowserProcess::isAlive), () -> "still there of the first browser: " + first);
            few.picture("/plain", 10, 10);
            few.close();
            assertThat(few.pages().processes()).isEmpty();
            assertThat(few.folder()).isEmptyDirectory();
        }
    }

    @Test
    void aPlatformThatIsKilledTakesItsBrowserWithItAndTheNextRemovesItsProfile(@TempDir Path folder) throws Exception {
        Process platform = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
                PageSite.class.getName(), PageSite.binary().orElseThrow().toString(), folder.toString()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        Set<Long> browser;
        try (BufferedReader told = platform.inputReader()) {
            browser = Stream.of(told.readLine().split(" ")).map(Long::valueOf).collect(Collectors.toSet());
            // Beside those that stay there are some that only prepare them.
            assertThat(browser).filteredOn(BrowserProcess::isAlive).hasSizeGreaterThan(2);
            platform.destroyForcibly().waitFor();
        }
        PageSite.await(() -> browser.stream().noneMatch(BrowserProcess::isAlive), () -> "still there of the browser: " + browser);
        try (PageSite next = PageSite.open(PageSite.binary(), DEADLINE, 1000, PAGE_BYTES_MAX, folder)) {
            assertThat(next.folder()).isEmptyDirectory();
        }
    }

    /** A file system of one megabyte, which is full. */
    @Test
    void aFullDiskIsSurvived(@TempDir Path folder) throws Exception {
        boolean mounted = new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=1m", "none", folder.toString()).redirectErrorStream(true).start().waitFor() == 0;
        if (!mounted) {
            System.out.println("skipped: no file system can be mounted here");
        }
        Assumptions.assumeTrue(mounted, "no mount");
        try {
            Path filler = folder.resolve("filler");
            assertThatThrownBy(() -> Files.write(filler, new byte[2 << 20])).isInstanceOf(IOException.class);
            try (PageSite full = PageSite.open(PageSite.binary(), Duration.ofSeconds(15), 1000, 1L << 30, folder)) {
                full.page("/plain", "plain");
                try {
                    assertThat(full.picture("/plain", 10, 10).length()).isPositive();
                } catch (CompletionException failed) {
                    assertThat(failed.getCause()).isInstanceOfSatisfying(Refusal.class, refused -> assertThat(refused.code()).isEqualTo("browser.down"));
                    assertThat(full.pages().state()).isEqualTo(Pages.State.DOWN);
                }
                Files.delete(filler);
                assertThat(full.picture("/plain", 10, 10).length()).isPositive();
                assertThat(full.pages().state()).isEqualTo(Pages.State.UP);
            }
        } finally {
            assertThat(new ProcessBuilder("umount", folder.toString()).inheritIO().start().waitFor(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aBrowserThatDoesNotStartIsToldAndTriedAgain(@TempDir Path folder) throws Exception {
        Path binary = Files.writeString(folder.resolve("browser"), "#!/bin/sh\nexit 1\n");
        assertThat(binary.toFile().setExecutable(true)).isTrue();
        try (PageSite broken = PageSite.open(Optional.of(binary), DEADLINE, 1000, PAGE_BYTES_MAX)) {
            assertThatThrownBy(() -> broken.print("x")).cause().isInstanceOfSatisfying(Refusal.class, refused -> {
                assertThat(refused.status()).isEqualTo(503);
                assertThat(refused.getMessage()).isEqualTo("The browser of this node does not work, so pages cannot be shown.");
            });
            assertThat(broken.pages().state()).isEqualTo(Pages.State.DOWN);
            Files.writeString(binary, "#!/bin/sh\nexec %s \"$@\"\n".formatted(PageSite.binary().orElseThrow()));
            assertThat(broken.print("x").toString()).startsWith("%PDF-");
            assertThat(broken.pages().state()).isEqualTo(Pages.State.UP);
        }
    }
}
