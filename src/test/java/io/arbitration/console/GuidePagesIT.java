package io.arbitration.console;

import static io.arbitration.console.ConsolePage.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.arbitration.platform.browser.Chromium;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The documentation as a platform serves it: each page and link, and what a reader does with them in a browser. */
class GuidePagesIT {

    private static final RunningPlatform PLATFORM = RunningPlatform.shared();
    private static final String ROOT = "/docs/guides";
    private static final Path MADE = Path.of("target/classes/documentation/pages.json");
    private static final int INDEX_BYTES_MAX = 350_000;

    /** ShippedTest holds that the jar has them. */
    @BeforeAll
    static void areThere() {
        if (!Files.exists(MADE)) {
            System.out.println("skipped: the documentation is not in these classes; the Maven build makes it (./acp build)");
        }
        Assumptions.assumeTrue(Files.exists(MADE), "the documentation was not made");
    }

    private static HttpResponse<byte[]> get(String path, String... headers) {
        return PLATFORM.get(path, headers).response();
    }

    private static List<String> served() throws IOException {
        return new JsonArray(Files.readString(MADE)).stream()
                .map(page -> ((JsonObject) page).getString("address")).toList();
    }

    /** What one page leads to on this platform, the files that it loads included. */
    private static List<String> links(Document page) {
        return Stream.concat(page.select("[href]").stream().map(link -> link.attr("href")), page.select("[src]").stream().map(loaded -> loaded.attr("src")))
                .filter(target -> !target.matches("[a-z][a-z0-9+.-]*:.*")).toList();
    }

    @Test
    void everyPageIsReachedAndEveryLinkLeadsToWhatItNames() throws IOException {
        Map<String, Document> pages = new TreeMap<>();
        Set<String> others = new TreeSet<>();
        Deque<String> ahead = new ArrayDeque<>(List.of(ROOT));
        // The index may name a new record a little later.
        served().stream().filter(address -> address.startsWith(ROOT + "/decisions/")).forEach(ahead::add);
        while (!ahead.isEmpty()) {
            String address = ahead.pop();
            if (pages.containsKey(address) || others.contains(address)) {
                continue;
            }
            HttpResponse<byte[]> answer = get(address);
            assertThat(answer.statusCode()).as(address).isEqualTo(200);
            if (!answer.headers().firstValue("Content-Type").orElseThrow().startsWith("text/html")) {
                others.add(address);
                continue;
            }
            Document page = Jsoup.parse(new String(answer.body(), StandardCharsets.UTF_8));
            pages.put(address, page);
            // Those outside have tests of their own.
            if (address.startsWith(ROOT)) {
                links(page).stream().filter(target -> !target.startsWith("#")).forEach(target -> ahead.add(URI.create(address).resolve(target).getPath()));
            }
        }
        pages.forEach((address, page) -> {
            if (address.startsWith(ROOT)) {
                assertThat(page.select("script:not([src]), style, [style], [onclick], [onload]")).as(address).isEmpty();
                assertThat(page.select("h1")).as(address).hasSize(1);
                links(page).stream().filter(target -> target.contains("#")).forEach(target -> {
                    String[] parts = target.split("#", 2);
                    Document leads = pages.get(parts[0].isEmpty() ? address : parts[0]);
                    assertThat(leads.getElementById(parts[1])).as("%s leads to %s", address, target).isNotNull();
                });
            }
        });
        Set<String> reached = new TreeSet<>(pages.keySet());
        reached.addAll(others);
        // The script asks for the index to search.
        assertThat(reached).containsAll(served().stream().filter(address -> !address.endsWith("search.json")).toList())
                .contains("/docs", "/docs/errors", ROOT + "/concepts", ROOT + "/operate", ROOT + "/reference/configuration", ROOT + "/glossary", ROOT + "/tutorial");
        System.out.printf("%d pages and %d other files of the documentation%n", pages.size(), others.size());
    }

    @Test
    void eachIsCompressedAndSentOnlyToWhomItIsNew() throws IOException {
        for (String address : served()) {
            HttpResponse<byte[]> plain = get(address);
            String tag = plain.headers().firstValue("ETag").orElseThrow();
            HttpResponse<byte[]> again = get(address, "If-None-Match", tag);
            assertThat(again.statusCode()).as(address).isEqualTo(304);
            assertThat(again.body()).isEmpty();
            String policy = plain.headers().firstValue("Content-Security-Policy").orElseThrow();
            assertThat(policy).contains("default-src 'none'").doesNotContain("unsafe", "http:", "https:", "*");
        }
        HttpResponse<byte[]> index = get(ROOT + "/assets/search.json", "Accept-Encoding", "gzip");
        assertThat(index.headers().firstValue("Content-Encoding")).contains("gzip");
        byte[] whole = new GZIPInputStream(new ByteArrayInputStream(index.body())).readAllBytes();
        System.out.printf("the index to search: %d bytes, %d compressed%n", whole.length, index.body().length);
        assertThat(index.body().length).isLessThan(INDEX_BYTES_MAX);
        assertThat(get(ROOT + "/no-such-page").statusCode()).isEqualTo(404);
        assertThat(get(ROOT + "/assets/../pages.json").statusCode()).isEqualTo(404);
        assertThat(get(ROOT + "/").statusCode()).isEqualTo(200);
        assertThat(Jsoup.parse(new String(get("/docs").body(), StandardCharsets.UTF_8)).select("a[href=" + ROOT + "]")).isNotEmpty();
    }

    @Test
    void marksOfTheTestsAreNotShownAndHtmlOfAPageIsText() {
        Document page = Jsoup.parse(new String(get(ROOT + "/tutorial").body(), StandardCharsets.UTF_8));
        assertThat(page.text()).doesNotContain("not run:", "<!--", "shows:").contains("from a clone", "./acp demo");
        assertThat(page.select("article *")).extracting(Element::tagName).doesNotContain("script", "iframe", "form");
        assertThat(page.select("nav a[aria-current=page]").text()).isEqualTo("Tutorial");
        assertThat(page.select("pre.answer")).isNotEmpty();
    }

    @Test
    void aReaderSearchesCopiesAndReadsOnATelephone() throws IOException {
        Optional<Path> binary = Chromium.find(Optional.ofNullable(System.getenv("ACP_CHROMIUM")));
        if (binary.isEmpty()) {
            System.out.println("skipped: no browser on this machine for the documentation");
        }
        Assumptions.assumeTrue(binary.isPresent(), "no browser");
        Vertx vertx = Vertx.vertx();
        Chromium chromium = await(Chromium.launch(vertx, binary.get(), List.of(), Await.BOUND));
        try {
            ConsolePage page = new ConsolePage(await(chromium.open()), PLATFORM.url());
            page.show(1280, 960, "light");
            page.go(ROOT);
            page.awaitTrue("document.querySelector('form[role=search]')?.checkVisibility() === true");
            page.key("/", 191, "");
            page.awaitTrue("document.activeElement.id === 'words'");
            page.write("Search", "idempotency key lost");
            page.awaitText("idempotency.answer-lost");
            page.picture("guides-search");
            assertThat(page.barriers()).isEmpty();
            page.write("Search", "xylophone");
            page.awaitText("Nothing was found");
            page.write("Search", "back up the keyset");
            page.awaitText("Back up and restore");
            page.click("Operate › Back up and restore");
            page.awaitTrue("location.pathname === '/docs/guides/operate' && location.hash === '#back-up-and-restore'");
            page.awaitTrue("document.querySelector('article').checkVisibility()");
            page.picture("guides-operate");

            page.go(ROOT + "/concepts");
            page.awaitText("filingID is the document");
            page.awaitTrue("[...document.images].every(one => one.complete && one.naturalWidth > 0)");
            assertThat(page.barriers()).isEmpty();
            page.evaluate("document.getElementById('the-states-of-a-filing').scrollIntoView()");
            page.picture("guides-concepts");
            page.show(1280, 960, "dark");
            page.picture("guides-concepts-dark");
            page.show(390, 844, "dark");
            page.go(ROOT + "/integrate");
            page.awaitText("Which credentials for what");
            page.awaitTrue("getComputedStyle(document.body).backgroundColor === 'rgb(22, 24, 28)'");
            assertThat(page.evaluate("document.documentElement.scrollWidth <= innerWidth")).as("fits a telephone").isEqualTo(true);
            assertThat(page.barriers()).isEmpty();
            page.evaluate("navigator.clipboard.writeText = async text => { window.copied = text; }");
            page.click("Copy");
            page.awaitTrue("window.copied !== undefined && window.copied === [...document.querySelectorAll('pre.code')].at(-1).textContent");
            page.picture("guides-telephone");
            assertThat(page.complaints).isEmpty();
        } finally {
            await(chromium.close());
            await(vertx.close());
        }
    }
}
