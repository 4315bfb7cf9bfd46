package io.arbitration.mainapi.capture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.platform.browser.Chromium;
import io.vertx.core.json.JsonObject;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NoticeAttachmentsIT {

    private static final String NOT_LOADED = "Failed to load webpage URL";
    private static final RunningPlatform PLATFORM = RunningPlatform.shared();
    private static HttpServer site;
    private static String token;

    @BeforeAll
    static void open() throws IOException {
        token = PLATFORM.signIn("captures-%s@example.org".formatted(UUID.randomUUID()), "Clara", "Claimant").token();
        site = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        page("/page", 200, "text/html; charset=utf-8", """
                <!doctype html><title>Cranes</title><style>body{margin:0;background:#dde8f0;font:28px sans-serif}header{background:#803010;color:white;padding:24px}
                p{margin:24px}</style><header>Cranes for sale</header><p>The finest cranes, by the makers of the <b>Liftwell</b> mark.</p>""");
        page("/missing", 404, "text/html", "<h1>Not here</h1>");
        page("/broken", 500, "text/html", "<h1>Broken</h1>");
        page("/nothing", 204, "text/html", "");
        page("/paper", 200, "application/pdf", "%PDF-1.7");
        page("/program", 200, "application/octet-stream", "bytes");
        redirect("/inside", "http://10.0.0.1/");
        redirect("/metadata", "http://169.254.169.254/latest/meta-data/");
        redirect("/again", "/again");
        redirect("/page-by-way", "/page");
        site.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        site.start();
    }

    @AfterAll
    static void close() {
        site.stop(0);
    }

    private static void page(String path, int status, String type, String body) {
        site.createContext(path, exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", type);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
    }

    private static void redirect(String path, String to) {
        site.createContext(path, exchange -> {
            exchange.getResponseHeaders().add("Location", to);
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        });
    }

    private static String address(String path) {
        return "http://127.0.0.1:%d%s".formatted(site.getAddress().getPort(), path);
    }

    private static Answer capture(RunningPlatform platform, String mailType, String url, String token) {
        return platform.post("/api/service-of-notice/attachments/create", new JsonObject().put("mailType", mailType).put("url", url), token);
    }

    private static Answer capture(String mailType, String url) {
        return capture(PLATFORM, mailType, url, token);
    }

    private static void assumeBrowser() {
        boolean there = Chromium.find(Optional.ofNullable(System.getenv("ACP_CHROMIUM"))).isPresent();
        if (!there) {
            System.out.println("skipped: no Chromium on this machine");
        }
        Assumptions.assumeTrue(there, "no Chromium");
    }

    @ParameterizedTest
    @CsvSource({"claimNotice, 1200, 1600, /page", "trademarkNotice, 800, 600, /page-by-way"})
    void aPageIsCapturedAsLargeAsTheAttachmentAreaOfTheMailType(String mailType, int width, int height, String path) throws IOException {
        assumeBrowser();
        Answer answer = capture(mailType, address(path));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).isEqualTo("image/png");
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(answer.response().body()));
        assertThat(image.getWidth()).isEqualTo(width);
        assertThat(image.getHeight()).isEqualTo(height);
        assertThat(image.getRGB(5, 5) & 0xffffff).isEqualTo(0x803010);
        assertThat(image.getRGB(width - 1, height - 1) & 0xffffff).isEqualTo(0xdde8f0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/missing", "/broken", "/nothing", "/paper", "/program", "/inside", "/metadata", "/again"})
    void whatIsNoPageOrLeadsInsideIsNotLoaded(String path) {
        assumeBrowser();
        Answer answer = capture("trademarkNotice", address(path));
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.sentence()).isEqualTo(NOT_LOADED);
        assertThat(answer.header("Error-Code")).isEqualTo("page.not-loaded");
    }

    /** In the demo profile, in which other servers at the loopback address may be captured. */
    @Test
    void theManagementPortOfTheNodeIsNotLoadedAlsoByARedirect() {
        assumeBrowser();
        String metrics = "http://127.0.0.1:%d/metrics".formatted(PLATFORM.platform().managementPort());
        redirect("/to-the-metrics", metrics);
        for (String url : new String[] {metrics, address("/to-the-metrics")}) {
            Answer answer = capture("trademarkNotice", url);
            assertThat(answer.status()).as(url).isEqualTo(422);
            assertThat(answer.sentence()).isEqualTo(NOT_LOADED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://nowhere.invalid/", "http://127.0.0.1:1/", "http://192.168.0.1/", "http://[::1]:%d/page", "http://2130706434:%d/",
            "file:///etc/passwd", "chrome://version", "view-source:http://127.0.0.1/", "cranes", "http://"})
    void anAddressThatLeadsToNoPageIsNotLoaded(String url) {
        assumeBrowser();
        Answer answer = capture("trademarkNotice", url.replace("%d", String.valueOf(site.getAddress().getPort())));
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.sentence()).isEqualTo(NOT_LOADED);
    }

    @Test
    void theMailTypeHasToBeOneThatTakesAttachments() {
        Answer unknown = capture("no-such-type", address("/page"));
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.sentence()).isEqualTo("mailType not found");
        Answer json = capture("hearingNotice", address("/page"));
        assertThat(json.status()).isEqualTo(400);
        assertThat(json.sentence()).isEqualTo("mailType: takes no attachments");
    }

    /** Pages that never end are the problem of whoever asked for them. */
    @Test
    void aCallerHasItsShareOfCapturesAndAnotherIsServedBesideIt() {
        assumeBrowser();
        int share = PLATFORM.settings().rateLimit().capturesPerCaller();
        CountDownLatch end = new CountDownLatch(1);
        site.createContext("/silent", exchange -> {
            try {
                end.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            exchange.sendResponseHeaders(500, -1);
            exchange.close();
        });
        String greedy = PLATFORM.signIn("greedy-%s@example.org".formatted(UUID.randomUUID()), "Greedy", "Capturer").token();
        try {
            List<CompletableFuture<Answer>> captures = IntStream.range(0, share + 1).mapToObj(i -> CompletableFuture.supplyAsync(
                    () -> capture(PLATFORM, "claimNotice", address("/silent"), greedy), Thread::startVirtualThread)).toList();
            Answer refused = (Answer) CompletableFuture.anyOf(captures.toArray(CompletableFuture[]::new)).join();
            assertThat(refused.status()).as(refused.body()).isEqualTo(429);
            assertThat(refused.header("Error-Code")).isEqualTo("capture.caller-busy");
            assertThat(refused.header("Retry-After")).isEqualTo("2");
            assertThat(refused.sentence()).isEqualTo("At most %d captures of one caller are made at once.".formatted(share));
            assertThat(capture("claimNotice", address("/page")).status()).as("of another caller").isEqualTo(200);
            end.countDown();
            captures.forEach(CompletableFuture::join);
            assertThat(capture(PLATFORM, "claimNotice", address("/page"), greedy).status()).as("when its own have ended").isEqualTo(200);
        } finally {
            end.countDown();
            site.removeContext("/silent");
        }
    }

    @Test
    void anAddressHasAtMost500Characters() {
        Answer longest = capture("no-such-type", "http://127.0.0.1/" + "a".repeat(483));
        assertThat(longest.sentence()).isEqualTo("mailType not found");
        Answer longer = capture("no-such-type", "http://127.0.0.1/" + "a".repeat(484));
        assertThat(longer.status()).isEqualTo(400);
        assertThat(longer.sentence()).isEqualTo("url: at most 500 characters");
    }

    @Test
    void aCallerHasARateOfItsOwnForCapturesAndANodeWithoutABrowserSaysSo(@TempDir Path folder) {
        try (RunningPlatform node = PLATFORM.sibling(folder, Map.of(
                "ACP_RATE_LIMIT_ENABLED", "true", "ACP_RATE_LIMIT_CAPTURES_PER_MINUTE", "2", "ACP_CHROMIUM", folder.resolve("none").toString()))) {
            String caller = node.signIn("captures-%s@example.org".formatted(UUID.randomUUID()), "Ray", "Respondent").token();
            Answer missing = capture(node, "claimNotice", address("/page"), caller);
            assertThat(missing.status()).isEqualTo(503);
            assertThat(missing.sentence()).isEqualTo("There is no browser on this node, so pages cannot be shown.");
            assertThat(capture(node, "no-such-type", address("/page"), caller).status()).isEqualTo(404);
            assertThat(capture(node, "claimNotice", address("/page"), caller).status()).isEqualTo(503);
            Answer over = capture(node, "claimNotice", address("/page"), caller);
            assertThat(over.status()).isEqualTo(429);
            assertThat(Integer.parseInt(over.header("Retry-After"))).isBetween(1, 30);
            assertThat(node.post("/auth/users/me", (JsonObject) null, caller).status()).isEqualTo(200);
            RunningPlatform management = RunningPlatform.at("http://127.0.0.1:" + node.platform().managementPort());
            Answer ready = management.get("/health/ready");
            assertThat(ready.status()).isEqualTo(200);
            assertThat(ready.object().getJsonObject("parts").getString("browser")).isEqualTo("MISSING");
        }
    }
}
