package io.arbitration.platform.browser;

import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.outbound.EgressProxy;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pages through a browser: pictures of web pages, and PDFs of HTML. One browser of this node shows them all. It is started at the
 * first page, replaced after a number of pages or when it has grown, and started again after a crash; a page that it showed at
 * that time is repeated once. A page has a context of its own, reaches the network only through {@link EgressProxy}, and is
 * bounded in time, memory and bytes. Pictures and PDFs have separate queues, so that letters and proofs of service never wait for
 * strangers' pages. May be called from any context; answers come on that of the caller.
 */
public final class Pages {

    private static final Logger LOG = LoggerFactory.getLogger(Pages.class);
    private static final Duration[] BUCKETS = Stream.of(250, 500, 1000, 2500, 5000, 10_000, 15_000).map(Duration::ofMillis).toArray(Duration[]::new);
    private static final int URL_LENGTH_MAX = 2000;
    /** The caller for printed letters and proofs. */
    private static final Object PLATFORM = "";
    private static final String WEB_ADDRESS = "(?i)https?://[^/?#@\\s\\\\]+([/?#]\\P{Cntrl}*)?";

    /** Whether pages can be shown, as health reports it. */
    public enum State { UP, MISSING, DOWN }

    private final Vertx vertx;
    private final Context context;
    private final EgressProxy egress;
    private final MeterRegistry meters;
    private final Optional<Browsers> browsers;
    private final PageQueue pictures;
    private final PageQueue prints;

    private Pages(Vertx vertx, BrowserSettings settings, EgressProxy egress, MeterRegistry meters, Optional<Browsers> browsers) {
        this.vertx = vertx;
        this.context = ((VertxInternal) vertx).createEventLoopContext();
        this.egress = egress;
        this.meters = meters;
        this.browsers = browsers;
        // One of two, two of three or four: a caller with continuous captures leaves places for others.
        this.pictures = new PageQueue(vertx, settings, Math.ceilDiv(settings.atOnce(), 2));
        this.prints = new PageQueue(vertx, settings, settings.atOnce());
        for (String kind : List.of("picture", "print")) {
            List.of("shown", "refused", "failed").forEach(outcome -> timer(kind, outcome));
        }
    }

    /** Starts nothing yet, but deletes the files of a killed platform; blocks for that. */
    public static Pages open(Vertx vertx, BrowserSettings settings, EgressProxy egress, MeterRegistry meters) {
        Chromium.sweep(settings.profilesFolder());
        Optional<Path> binary = Chromium.find(settings.binary());
        boolean enclosed = binary.isPresent() && settings.ownNetwork() && NetworkNamespace.isPossible();
        if (binary.isEmpty()) {
            LOG.warn("no browser was found{}; this node captures no web pages",
                    settings.binary().map(" at %s (chromium)"::formatted).orElse(""));
        } else if (settings.ownNetwork() && !enclosed) {
            LOG.info("browser.ownNetwork: this machine allows no network namespace; the proxy alone keeps pages from what is inside");
        }
        return new Pages(vertx, settings, egress, meters, binary.map(path -> new Browsers(vertx, settings, egress, path, enclosed)));
    }

    /**
     * A picture of the upper left of a web page, after it has loaded and been idle for a moment: PNG, of exactly this size.
     *
     * @param caller the tenant; it is shown at most half of the pages at once
     * @param url http or https, in any form that a browser accepts
     * @return fails with {@link PageFailure} if it cannot be loaded, with a {@link Refusal} of 503 if there is no browser or too
     *     much work
     */
    public Future<Buffer> picture(Object caller, String url, int width, int height) {
        if (url.length() > URL_LENGTH_MAX || !url.matches(WEB_ADDRESS)) {
            return Future.failedFuture(new PageFailure("not an http or https address"));
        }
        return show("picture", pictures, caller, navigation -> navigation.picture(url, width, height));
    }

    /**
     * HTML as a PDF, A4 unless its style sets another size. It may show its own content, with images and fonts as {@code data:}
     * addresses; scripts do not run and nothing is fetched.
     *
     * @return fails like a picture
     */
    public Future<Buffer> print(String html) {
        return show("print", prints, PLATFORM, navigation -> navigation.print(html));
    }

    /** Whether there is a browser, and the last start of it succeeded. */
    public State state() {
        return browsers.map(all -> all.isDown() ? State.DOWN : State.UP).orElse(State.MISSING);
    }

    /** All processes of its browsers; for tests. */
    List<BrowserProcess> processes() {
        return running().flatMap(chromium -> chromium.processes().stream()).toList();
    }

    /** The main processes of its browsers; for tests. */
    List<Long> mainProcesses() {
        return running().map(Chromium::pid).toList();
    }

    private Stream<Chromium> running() {
        return browsers.stream().flatMap(all -> all.running().stream());
    }

    private Future<Buffer> show(String kind, PageQueue queue, Object caller, Function<Navigation, Future<Buffer>> use) {
        if (browsers.isEmpty()) {
            return Future.failedFuture(PagesError.MISSING.refusal());
        }
        Promise<Buffer> shown = ((ContextInternal) vertx.getOrCreateContext()).promise();
        Timer.Sample sample = Timer.start(meters);
        context.runOnContext(ignored -> queue.add(caller, () -> browsers.get().show(use), shown));
        return shown.future().onComplete(done -> sample.stop(timer(kind,
                done.succeeded() ? "shown" : done.cause() instanceof Refusal ? "refused" : "failed")));
    }

    private Timer timer(String kind, String outcome) {
        return Timer.builder("acp.browser.page")
                .description("Time from asking for a page to having it, waiting included")
                .serviceLevelObjectives(BUCKETS)
                .tag("kind", kind)
                .tag("outcome", outcome)
                .register(meters);
    }

    /** Ends the browser, its pages and the waiting pages. */
    public Future<Void> close() {
        Promise<Void> done = Promise.promise();
        context.runOnContext(ignored -> {
            pictures.close();
            prints.close();
            browsers.map(Browsers::close).orElseGet(Future::succeededFuture).onComplete(done);
        });
        return done.future().eventually(egress::close);
    }
}
