package io.arbitration.platform.browser;

import io.arbitration.platform.outbound.EgressProxy;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running browser: keeps empty pages ready, shows each page in a context of its own, and ends after its last page or when it
 * crashes.
 */
final class Browser {

    private static final Logger LOG = LoggerFactory.getLogger(Browser.class);
    /** Delay before a page is closed and the next one prepared, because a waiting page may load meanwhile. */
    private static final int TIDY_MILLIS = 50;
    /** Far more than most pages use. One that uses more goes on with the lowest priority, so that it slows neither other pages nor the platform. */
    private static final Duration CPU_MAX = Duration.ofSeconds(2);

    private final Vertx vertx;
    private final BrowserSettings settings;
    private final EgressProxy egress;
    private final Browsers all;
    private final Chromium chromium;
    private final int readyPages;
    private final Deque<Future<PageContext>> ready = new ArrayDeque<>();
    private final Map<String, Navigation> navigations = new HashMap<>();
    /** Those that were shown while another one was. */
    private final Set<Navigation> accompanied = new HashSet<>();
    private final Map<String, String> pageOfContext = new HashMap<>();
    private final AtomicInteger endedForMemory = new AtomicInteger();
    /** Processes that have used more than {@link #CPU_MAX}. */
    private final Set<Long> longRunning = ConcurrentHashMap.newKeySet();
    private int pages;
    private boolean heavy;
    private boolean weighing;
    private boolean replacing;
    private boolean retired;
    private Future<Void> end;

    /** @param readyPages empty pages that it keeps ready */
    Browser(Vertx vertx, BrowserSettings settings, EgressProxy egress, Browsers all, Chromium chromium, int readyPages) {
        this.vertx = vertx;
        this.settings = settings;
        this.egress = egress;
        this.all = all;
        this.chromium = chromium;
        this.readyPages = readyPages;
    }

    Chromium chromium() {
        return chromium;
    }

    Future<?> open() {
        chromium.devTools().on("Target.targetCreated", event -> opened(event.getJsonObject("targetInfo")));
        fill();
        return Future.all(chromium.devTools().call("Target.setDiscoverTargets", new JsonObject().put("discover", true)), ready.getFirst());
    }

    private void fill() {
        while (end == null && !retired && ready.size() < readyPages) {
            Future<PageContext> page = PageContext.open(chromium, egress);
            page.onFailure(failed -> ready.remove(page));
            ready.add(page);
        }
    }

    private void opened(JsonObject target) {
        String own = pageOfContext.get(target.getString("browserContextId"));
        if (own != null && "page".equals(target.getString("type")) && !own.equals(target.getString("targetId"))) {
            chromium.devTools().call("Target.closeTarget", new JsonObject().put("targetId", target.getString("targetId")))
                    .onFailure(gone -> LOG.debug("a window that a page opened was not closed: {}", gone.getMessage()));
            navigations.get(own).popup();
        }
    }

    /** Shows its last page, and ends with it. */
    Future<Buffer> showLast(Function<Navigation, Future<Buffer>> use) {
        Future<Buffer> shown = show(use);
        retired = true;
        return shown.onComplete(done -> retire());
    }

    Future<Buffer> show(Function<Navigation, Future<Buffer>> use) {
        if (ready.isEmpty()) {
            fill();
        }
        if (ready.isEmpty()) {
            return Future.failedFuture(new PageCrashed("the browser has gone", false));
        }
        pages++;
        return ready.removeFirst()
                .recover(failed -> Future.failedFuture(new PageCrashed(failed.getMessage(), false)))
                .compose(page -> show(page, use));
    }

    private Future<Buffer> show(PageContext page, Function<Navigation, Future<Buffer>> use) {
        int endedBefore = endedForMemory.get();
        Navigation navigation = new Navigation(vertx, page, settings.deadline());
        navigations.put(page.targetId(), navigation);
        if (navigations.size() > 1) {
            accompanied.addAll(navigations.values());
        }
        pageOfContext.put(page.contextId(), page.targetId());
        return use.apply(navigation)
                .recover(failed -> Future.failedFuture(endedForMemory.get() != endedBefore ? afterMemoryWasTaken(navigation, failed) : failed))
                .onComplete(done -> leave(page), failed -> {
                    if (failed instanceof PageCrashed) {
                        // The cause that ended its process may also have ended the empty pages.
                        clear();
                    }
                    leave(page);
                });
    }

    /**
     * What the failure of a page means if a process was ended for its memory meanwhile. That may be a process that all pages share, such as
     * that of the network: then each page fails, and which of them took the memory is not known.
     */
    private Throwable afterMemoryWasTaken(Navigation navigation, Throwable failed) {
        if (accompanied.contains(navigation)) {
            return new PageCrashed("a process of the browser took too much memory");
        }
        return failed instanceof PageCrashed ? new PageFailure("it took more memory than a page may") : failed;
    }

    private void clear() {
        List<Future<PageContext>> unused = List.copyOf(ready);
        ready.clear();
        unused.forEach(page -> page.onSuccess(this::close));
    }

    private void close(PageContext page) {
        page.close().onFailure(failed -> {
            if (end == null && !chromium.devTools().isGone()) {
                LOG.warn("a browser is ended, because it did not close a page: {}", failed.getMessage());
                kill();
            }
        });
    }

    private void leave(PageContext page) {
        accompanied.remove(navigations.remove(page.targetId()));
        pageOfContext.remove(page.contextId());
        vertx.setTimer(TIDY_MILLIS, later -> {
            close(page);
            fill();
        });
        if (!retired && (pages >= settings.pagesMax() || heavy)) {
            replace();
        }
        retire();
    }

    /** Launches the next browser; this one ends when that one is ready and its own pages are done. */
    private void replace() {
        if (replacing || end != null) {
            return;
        }
        replacing = true;
        all.launchNext().onComplete(next -> {
            retired = true;
            retire();
        }, failed -> {
            replacing = false;
            pages = 0;
        });
    }

    private void retire() {
        if (retired && navigations.isEmpty()) {
            kill();
        }
    }

    /** Ends processes that take too much memory, and lowers the priority of pages that compute for long. Reads the data of Linux on a worker, because that blocks. */
    void weigh() {
        if (weighing || end != null) {
            return;
        }
        weighing = true;
        vertx.executeBlocking(() -> {
            List<BrowserProcess> processes = chromium.processes();
            for (BrowserProcess process : processes) {
                if (process.cpu().compareTo(CPU_MAX) > 0 && longRunning.add(process.pid()) && BrowserProcess.isRenderer(process.pid())) {
                    lowerPriority(process);
                }
                if (process.ownBytes() > settings.pageBytesMax()) {
                    LOG.warn("a process of the browser took {} bytes and is ended", process.ownBytes());
                    endedForMemory.incrementAndGet();
                    process.handle().ifPresent(ProcessHandle::destroyForcibly);
                }
            }
            return processes.stream().mapToLong(BrowserProcess::ownBytes).sum();
        }, false).onComplete(bytes -> {
            weighing = false;
            heavy |= bytes > settings.bytesMax();
        }, failure -> {
            weighing = false;
            LOG.warn("the memory of the browser's processes is not known, and no bound on it holds: {}", failure.getMessage());
        });
    }

    private static void lowerPriority(BrowserProcess process) throws InterruptedException {
        try {
            process.lowerPriority();
            LOG.debug("the page of process {} has used the processor for {} and goes on with the lowest priority", process.pid(), process.cpu());
        } catch (IOException missing) {
            LOG.warn("the priority of a page that computes for long is not lowered: {}", missing.getMessage());
        }
    }

    /** Its connection has ended, because it crashed or was ended. */
    void gone() {
        if (end == null) {
            LOG.warn("the browser died; the next page starts another");
        }
        kill();
    }

    /** Ends it and its pages; calling it again has no effect. */
    Future<Void> kill() {
        if (end == null) {
            end = chromium.close().onComplete(ended -> all.ended(this));
            all.ending(this);
            List.copyOf(navigations.values()).forEach(navigation -> navigation.end(new PageCrashed("the browser has gone")));
            clear();
        }
        return end;
    }
}
