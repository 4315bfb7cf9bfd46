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
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pages through a browser: pictures of web pages, and PDFs of HTML. One browser of this node serves them all, started at the
 * first page, replaced after a number of pages or when it has grown, and started anew when it has died; what it was at
 * then is tried once more. A page has a context of its own, reaches the network through {@link EgressProxy} alone and is
 * bounded in time, memory and bytes. May be called from any context; answers come on that of the caller.
 */
public final class Pages {

    private static final Logger LOG = LoggerFactory.getLogger(Pages.class);
    private static final int RETRY_AFTER_SECONDS = 5;
    private static final Duration[] BUCKETS = Stream.of(250, 500, 1000, 2500, 5000, 10_000, 15_000).map(Duration::ofMillis).toArray(Duration[]::new);
    private static final Duration COMMAND_WAIT = Duration.ofSeconds(20);
    private static final int WATCH_MILLIS = 250;
    /** A room is left and another prepared while the next page, if it waits already, waits to stand still. */
    private static final int TIDY_MILLIS = 50;
    private static final int URL_LENGTH_MAX = 2000;
    private static final String WEB_ADDRESS = "(?i)https?://[^/?#@\\s\\\\]+([/?#]\\P{Cntrl}*)?";
    /**
     * What decision 021 found. Without the two that keep WebRTC off UDP, of which each binary obeys one, a page reaches what it
     * must not. The proxy, for loopback too, is for what belongs to no page, because the full browser calls home; each page has
     * its own. The browser itself looks up no name.
     */
    private static final List<String> FLAGS = List.of(
            "--proxy-server=http://127.0.0.1:9", "--proxy-bypass-list=<-loopback>",
            "--webrtc-ip-handling-policy=disable_non_proxied_udp", "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
            "--disable-quic", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.*",
            "--block-new-web-contents", "--disable-breakpad", "--disable-crash-reporter", "--disable-gpu", "--disable-lcd-text",
            "--font-render-hinting=none", "--force-color-profile=srgb", "--disable-client-side-phishing-detection", "--disable-notifications",
            "--disable-features=Translate,MediaRouter,OptimizationHints,AutofillServerCommunication,InterestFeedContentSuggestions,"
                    + "CertificateTransparencyComponentUpdater,DialMediaRouteProvider");

    /** Whether pages can be shown, as health tells it. */
    public enum State { UP, MISSING, DOWN }

    /** Something to show that waits for its turn. */
    private record Work(Function<Visit, Future<Buffer>> use, Promise<Buffer> shown, long waitTimer) {}

    private final Vertx vertx;
    private final Context context;
    private final BrowserSettings settings;
    private final EgressProxy egress;
    private final Optional<Path> binary;
    private final boolean enclosed;
    private final MeterRegistry meters;
    private final Deque<Work> queue = new ArrayDeque<>();
    private final Set<Live> all = new HashSet<>();
    private final Set<Future<Live>> launching = new HashSet<>();
    private final List<Chromium> running = new CopyOnWriteArrayList<>();
    private Future<Live> current;
    private int active;
    private long watch = -1;
    private boolean closed;
    private volatile boolean down;

    private Pages(Vertx vertx, BrowserSettings settings, EgressProxy egress, MeterRegistry meters) {
        this.vertx = vertx;
        this.context = ((VertxInternal) vertx).createEventLoopContext();
        this.settings = settings;
        this.egress = egress;
        this.meters = meters;
        this.binary = Chromium.find(settings.binary());
        this.enclosed = binary.isPresent() && settings.ownNetwork() && Enclosure.isPossible();
        for (String kind : List.of("picture", "print")) {
            List.of("shown", "refused", "failed").forEach(outcome -> timer(kind, outcome));
        }
    }

    /** Starts nothing yet, but removes what a platform that was killed has left behind; blocks for that. */
    public static Pages open(Vertx vertx, BrowserSettings settings, EgressProxy egress, MeterRegistry meters) {
        Chromium.sweep(settings.profilesFolder());
        Pages pages = new Pages(vertx, settings, egress, meters);
        if (pages.binary.isEmpty()) {
            LOG.warn("no browser was found{}: no page is captured",
                    settings.binary().map(" at %s (chromium)"::formatted).orElse(""));
        } else if (settings.ownNetwork() && !pages.enclosed) {
            LOG.info("browser.ownNetwork: this machine allows no network namespace; the proxy alone keeps pages from what is inside");
        }
        return pages;
    }

    /**
     * A picture of a web page, as it looks when it has loaded and stood still for a moment: its upper left, PNG, of exactly
     * this size.
     *
     * @param url http or https; whatever a browser takes there
     * @return fails with {@link PageFailure} when it cannot be loaded, with a {@link Refusal} of 503 when there is no browser
     *     or too much to do
     */
    public Future<Buffer> picture(String url, int width, int height) {
        if (url.length() > URL_LENGTH_MAX || !url.matches(WEB_ADDRESS)) {
            return Future.failedFuture(new PageFailure("not an http or https address"));
        }
        return show("picture", visit -> visit.picture(url, width, height));
    }

    /**
     * HTML as a PDF, A4 unless its style says otherwise. It may show what it brings along, images and fonts as {@code data:}
     * addresses; scripts do not run and nothing is fetched.
     *
     * @return fails as a picture does
     */
    public Future<Buffer> print(String html) {
        return show("print", visit -> visit.print(html));
    }

    /** Whether there is a browser, and the last start of it succeeded. */
    public State state() {
        return binary.isEmpty() ? State.MISSING : down ? State.DOWN : State.UP;
    }

    /** Every process of its browsers; for tests, which look behind them. */
    List<BrowserProcess> processes() {
        return running.stream().flatMap(chromium -> chromium.processes().stream()).toList();
    }

    /** The main processes of its browsers; for the same tests. */
    List<Long> mainProcesses() {
        return running.stream().map(Chromium::pid).toList();
    }

    private Future<Buffer> show(String kind, Function<Visit, Future<Buffer>> use) {
        if (binary.isEmpty()) {
            return Future.failedFuture(PagesError.MISSING.refusal());
        }
        Promise<Buffer> shown = ((ContextInternal) vertx.getOrCreateContext()).promise();
        Timer.Sample sample = Timer.start(meters);
        context.runOnContext(ignored -> take(use, shown));
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

    private void take(Function<Visit, Future<Buffer>> use, Promise<Buffer> shown) {
        if (closed || queue.size() >= settings.queueMax()) {
            shown.fail(PagesError.BUSY.refusal().retryAfter(RETRY_AFTER_SECONDS));
            return;
        }
        Work[] work = new Work[1];
        long timer = vertx.setTimer(settings.deadline().toMillis(), late -> {
            if (queue.remove(work[0])) {
                shown.fail(PagesError.BUSY.refusal().retryAfter(RETRY_AFTER_SECONDS));
            }
        });
        work[0] = new Work(use, shown, timer);
        queue.add(work[0]);
        next();
    }

    private void next() {
        while (active < settings.atOnce() && !queue.isEmpty()) {
            Work work = queue.remove();
            vertx.cancelTimer(work.waitTimer);
            active++;
            watch();
            attempt(work)
                    .recover(failed -> failed instanceof PageLost ? attempt(work) : Future.failedFuture(failed))
                    // A page that dies with its browser may be sent to it once more before the browser's end is known.
                    .recover(failed -> failed instanceof PageLost lost && !lost.wasShown() ? attempt(work) : Future.failedFuture(failed))
                    .recover(failed -> Future.failedFuture(failed instanceof PageLost ? new PageFailure(failed.getMessage()) : failed))
                    .onComplete(done -> {
                        active--;
                        work.shown.handle(done);
                        next();
                    });
        }
    }

    private Future<Buffer> attempt(Work work) {
        return live().compose(live -> live.show(work.use));
    }

    /** The browser that new pages go to. */
    private Future<Live> live() {
        if (closed) {
            return Future.failedFuture(PagesError.BUSY.refusal().retryAfter(RETRY_AFTER_SECONDS));
        }
        if (current != null && current.succeeded() && current.result().chromium.devTools().isGone()) {
            current.result().gone();
        }
        if (current == null) {
            current = launch();
            current.onFailure(failed -> current = null);
        }
        return current;
    }

    private Future<Live> launch() {
        Future<Live> starting = start();
        launching.add(starting);
        return starting.onComplete(started -> launching.remove(starting));
    }

    private Future<Live> start() {
        return Chromium.launch(vertx, binary.orElseThrow(), FLAGS, settings.profilesFolder(), enclosed, COMMAND_WAIT)
                .compose(chromium -> {
                    Live live = new Live(chromium);
                    all.add(live);
                    running.add(chromium);
                    chromium.devTools().ended().onComplete(ended -> live.gone());
                    return live.open().map(live).onFailure(failed -> live.kill());
                })
                .onSuccess(live -> down = false)
                .recover(failed -> {
                    down = true;
                    LOG.error("no page can be shown: {}", failed.getMessage());
                    return Future.failedFuture(PagesError.DOWN.refusal().retryAfter(RETRY_AFTER_SECONDS));
                });
    }

    /** While pages are shown, those that take too much memory are ended. */
    private void watch() {
        if (watch >= 0) {
            return;
        }
        watch = vertx.setPeriodic(WATCH_MILLIS, tick -> {
            if (active == 0) {
                vertx.cancelTimer(watch);
                watch = -1;
            } else {
                List.copyOf(all).forEach(Live::weigh);
            }
        });
    }

    /** Ends the browser and what waits for it. */
    public Future<Void> close() {
        Promise<Void> done = Promise.promise();
        context.runOnContext(ignored -> {
            closed = true;
            queue.forEach(work -> work.shown.fail(PagesError.BUSY.refusal().retryAfter(RETRY_AFTER_SECONDS)));
            queue.clear();
            Future<?> starting = launching.isEmpty() ? Future.succeededFuture() : Future.join(List.copyOf(launching)).otherwiseEmpty();
            starting.compose(started -> Future.join(List.copyOf(all).stream().map(Live::kill).toList()))
                    .onComplete(ended -> done.handle(ended.mapEmpty()));
        });
        return done.future().eventually(egress::close);
    }

    /** A browser that runs, or ran. */
    private final class Live {

        private final Chromium chromium;
        private final Deque<Future<Room>> ready = new ArrayDeque<>();
        private final Map<String, Visit> visits = new HashMap<>();
        private final Map<String, String> pageOfContext = new HashMap<>();
        private final AtomicInteger endedForMemory = new AtomicInteger();
        private int pages;
        private boolean heavy;
        private boolean weighing;
        private boolean replacing;
        private boolean retired;
        private Future<Void> end;

        Live(Chromium chromium) {
            this.chromium = chromium;
        }

        Future<?> open() {
            chromium.devTools().on("Target.targetCreated", event -> opened(event.getJsonObject("targetInfo")));
            fill();
            return Future.all(chromium.devTools().call("Target.setDiscoverTargets", new JsonObject().put("discover", true)), ready.getFirst());
        }

        /** Keeps as many rooms ready as may be used at once. */
        private void fill() {
            while (end == null && !retired && ready.size() < settings.atOnce()) {
                Future<Room> room = Room.open(chromium, egress);
                room.onFailure(failed -> ready.remove(room));
                ready.add(room);
            }
        }

        private void opened(JsonObject target) {
            String page = pageOfContext.get(target.getString("browserContextId"));
            if (page != null && "page".equals(target.getString("type")) && !page.equals(target.getString("targetId"))) {
                chromium.devTools().call("Target.closeTarget", new JsonObject().put("targetId", target.getString("targetId")))
                        .onFailure(gone -> LOG.debug("a window that a page opened was not closed: {}", gone.getMessage()));
                visits.get(page).popup();
            }
        }

        Future<Buffer> show(Function<Visit, Future<Buffer>> use) {
            if (ready.isEmpty()) {
                fill();
            }
            if (ready.isEmpty()) {
                return Future.failedFuture(new PageLost("the browser has gone", false));
            }
            pages++;
            return ready.removeFirst()
                    .recover(failed -> Future.failedFuture(new PageLost(failed.getMessage(), false)))
                    .compose(room -> show(room, use));
        }

        private Future<Buffer> show(Room room, Function<Visit, Future<Buffer>> use) {
            int endedBefore = endedForMemory.get();
            Visit visit = new Visit(vertx, room, settings.deadline());
            visits.put(room.targetId(), visit);
            pageOfContext.put(room.contextId(), room.targetId());
            return use.apply(visit)
                    .recover(failed -> Future.failedFuture(failed instanceof PageLost && endedForMemory.get() != endedBefore
                            ? new PageFailure("it took more memory than a page may") : failed))
                    .onComplete(done -> leave(room), failed -> {
                        if (failed instanceof PageLost) {
                            // What ended its process may have ended those that wait.
                            clear();
                        }
                        leave(room);
                    });
        }

        private void clear() {
            List<Future<Room>> waiting = List.copyOf(ready);
            ready.clear();
            waiting.forEach(room -> room.onSuccess(this::close));
        }

        private void close(Room room) {
            room.close().onFailure(failed -> {
                if (end == null && !chromium.devTools().isGone()) {
                    LOG.warn("a browser is ended, because it did not close a page: {}", failed.getMessage());
                    kill();
                }
            });
        }

        private void leave(Room room) {
            visits.remove(room.targetId());
            pageOfContext.remove(room.contextId());
            vertx.setTimer(TIDY_MILLIS, later -> {
                close(room);
                fill();
            });
            if (pages >= settings.pagesMax() || heavy) {
                replace();
            }
            retire();
        }

        /** Its successor is ready before it goes. */
        private void replace() {
            if (replacing || end != null || closed) {
                return;
            }
            replacing = true;
            launch().onComplete(next -> {
                current = Future.succeededFuture(next);
                retired = true;
                retire();
            }, failed -> {
                replacing = false;
                pages = 0;
            });
        }

        private void retire() {
            if (retired && visits.isEmpty()) {
                kill();
            }
        }

        /** Blocking reads of what Linux knows of its processes, away from the event loop. */
        private void weigh() {
            if (weighing || end != null) {
                return;
            }
            weighing = true;
            vertx.executeBlocking(() -> {
                List<BrowserProcess> processes = chromium.processes();
                for (BrowserProcess process : processes) {
                    if (process.ownBytes() > settings.pageBytesMax()) {
                        LOG.warn("a process of the browser took {} bytes and is ended", process.ownBytes());
                        endedForMemory.incrementAndGet();
                        process.handle().ifPresent(ProcessHandle::destroyForcibly);
                    }
                }
                return processes.stream().mapToLong(BrowserProcess::ownBytes).sum();
            }, false).onComplete(weighed -> {
                weighing = false;
                heavy |= weighed.succeeded() && weighed.result() > settings.bytesMax();
            });
        }

        /** Its connection has ended: it died, or was ended. */
        private void gone() {
            if (end == null) {
                LOG.warn("the browser died; the next page starts another");
            }
            kill();
        }

        /** Ends it, and what it is at; does so once. */
        Future<Void> kill() {
            if (end == null) {
                end = chromium.close().onComplete(ended -> {
                    all.remove(this);
                    running.remove(chromium);
                });
                if (current != null && current.succeeded() && current.result() == this) {
                    current = null;
                }
                List.copyOf(visits.values()).forEach(visit -> visit.end(new PageLost("the browser has gone")));
                clear();
            }
            return end;
        }
    }
}
