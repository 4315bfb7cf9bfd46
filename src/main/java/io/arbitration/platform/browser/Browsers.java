package io.arbitration.platform.browser;

import io.arbitration.platform.outbound.EgressProxy;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The browser that shows new pages, and former ones that still show their last pages. Starts the browser with the first page,
 * replaces it, and repeats a page once if its browser crashed. The repetition has a browser of its own, because the crash may be the
 * fault of a page that was shown beside it, and would follow it into the next browser. To be called on one context, except for the
 * methods that report its state.
 */
final class Browsers {

    private static final Logger LOG = LoggerFactory.getLogger(Browsers.class);
    private static final int RETRY_AFTER_SECONDS = 5;
    private static final Duration COMMAND_WAIT = Duration.ofSeconds(20);
    private static final int WATCH_MILLIS = 250;
    /**
     * Flags from decision 021. Without the two that keep WebRTC off UDP, of which each binary obeys one, a page reaches internal
     * addresses. The proxy, also for loopback, is for requests that belong to no page, because the full browser calls its vendor;
     * each page has a proxy of its own. The browser itself resolves no names.
     */
    private static final List<String> FLAGS = List.of(
            "--proxy-server=http://127.0.0.1:9", "--proxy-bypass-list=<-loopback>",
            "--webrtc-ip-handling-policy=disable_non_proxied_udp", "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
            "--disable-quic", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.*",
            "--block-new-web-contents", "--disable-breakpad", "--disable-crash-reporter", "--disable-gpu", "--disable-lcd-text",
            "--font-render-hinting=none", "--force-color-profile=srgb", "--disable-client-side-phishing-detection", "--disable-notifications",
            "--disable-features=Translate,MediaRouter,OptimizationHints,AutofillServerCommunication,InterestFeedContentSuggestions,"
                    + "CertificateTransparencyComponentUpdater,DialMediaRouteProvider");

    private final Vertx vertx;
    private final BrowserSettings settings;
    private final EgressProxy egress;
    private final Path binary;
    private final boolean enclosed;
    private final Set<Browser> all = new HashSet<>();
    private final Set<Future<Browser>> launching = new HashSet<>();
    private final List<Chromium> running = new CopyOnWriteArrayList<>();
    private Future<Browser> current;
    private int active;
    private long watch = -1;
    private boolean closed;
    private volatile boolean down;

    /** @param enclosed whether it runs in a network namespace of its own */
    Browsers(Vertx vertx, BrowserSettings settings, EgressProxy egress, Path binary, boolean enclosed) {
        this.vertx = vertx;
        this.settings = settings;
        this.egress = egress;
        this.binary = binary;
        this.enclosed = enclosed;
    }

    /** Whether the last start failed. From any thread. */
    boolean isDown() {
        return down;
    }

    /** From any thread. */
    List<Chromium> running() {
        return running;
    }

    Future<Buffer> show(Function<Navigation, Future<Buffer>> use) {
        active++;
        watch();
        return attempt(use)
                // A page may be sent to a crashed browser before the crash is known.
                .recover(failed -> failed instanceof PageCrashed lost && !lost.wasShown() ? attempt(use) : Future.failedFuture(failed))
                .recover(failed -> failed instanceof PageCrashed ? alone(use) : Future.failedFuture(failed))
                .recover(failed -> Future.failedFuture(failed instanceof PageCrashed ? new PageFailure(failed.getMessage()) : failed))
                .onComplete(done -> active--);
    }

    private Future<Buffer> attempt(Function<Navigation, Future<Buffer>> use) {
        return browser().compose(browser -> browser.show(use));
    }

    /** In a browser that shows this page only, and ends with it. */
    private Future<Buffer> alone(Function<Navigation, Future<Buffer>> use) {
        return closed ? closing() : launch(1).compose(browser -> browser.showLast(use));
    }

    private static <T> Future<T> closing() {
        return Future.failedFuture(PagesError.BUSY.refusal().retryAfter(RETRY_AFTER_SECONDS));
    }

    /** The browser that shows new pages. */
    private Future<Browser> browser() {
        if (closed) {
            return closing();
        }
        if (current != null && current.succeeded() && current.result().chromium().devTools().isGone()) {
            current.result().gone();
        }
        if (current != null) {
            return current;
        }
        Future<Browser> starting = launch(settings.atOnce());
        current = starting;
        // A start may have failed already. Then this runs at once.
        starting.onFailure(failed -> {
            if (current == starting) {
                current = null;
            }
        });
        return starting;
    }

    /** @param readyPages empty pages that it keeps ready */
    private Future<Browser> launch(int readyPages) {
        Future<Browser> starting = start(readyPages);
        launching.add(starting);
        return starting.onComplete(started -> launching.remove(starting));
    }

    private Future<Browser> start(int readyPages) {
        return Chromium.launch(vertx, binary, FLAGS, settings.profilesFolder(), enclosed, COMMAND_WAIT)
                .compose(chromium -> {
                    Browser browser = new Browser(vertx, settings, egress, this, chromium, readyPages);
                    all.add(browser);
                    running.add(chromium);
                    chromium.devTools().ended().onComplete(ended -> browser.gone());
                    return browser.open().map(browser).onFailure(failed -> browser.kill());
                })
                .onSuccess(browser -> down = false)
                .recover(failed -> {
                    down = true;
                    LOG.error("the browser cannot show pages: {}", failed.getMessage());
                    return Future.failedFuture(PagesError.DOWN.refusal().retryAfter(RETRY_AFTER_SECONDS));
                });
    }

    /** While pages are shown, processes that take too much memory are ended. */
    private void watch() {
        if (watch >= 0) {
            return;
        }
        watch = vertx.setPeriodic(WATCH_MILLIS, tick -> {
            if (active == 0) {
                vertx.cancelTimer(watch);
                watch = -1;
            } else {
                List.copyOf(all).forEach(Browser::weigh);
            }
        });
    }

    /** Starts the browser for the following pages. */
    Future<Browser> launchNext() {
        return closed ? Future.failedFuture(PagesError.BUSY.refusal())
                : launch(settings.atOnce()).onSuccess(next -> current = Future.succeededFuture(next));
    }

    /** This browser gets no more pages. */
    void ending(Browser browser) {
        if (current != null && current.succeeded() && current.result() == browser) {
            current = null;
        }
    }

    void ended(Browser browser) {
        all.remove(browser);
        running.remove(browser.chromium());
    }

    /** Ends every browser; no other one is started. */
    Future<Void> close() {
        closed = true;
        Future<?> starting = launching.isEmpty() ? Future.succeededFuture() : Future.join(List.copyOf(launching)).otherwiseEmpty();
        return starting.compose(started -> Future.join(List.copyOf(all).stream().map(Browser::kill).toList())).mapEmpty();
    }
}
