package io.arbitration;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;
import org.slf4j.LoggerFactory;

/**
 * Fails every test class during which Vert.x found an event loop blocked for two seconds or more, those not counted in which the
 * machine let it wait for a processor, Netty a buffer that leaked, or the platform an error that the contract of its operation does not
 * show, and every class that leaves the process changed for the next one. Keeps a line for each test that skips, which {@code ./acp test}
 * prints at its end. Loaded for all tests by {@code META-INF/services}.
 */
public final class WatchOfTheRun implements BeforeAllCallback, AfterAllCallback, TestWatcher {

    private static final Path SKIPPED = Path.of("target/skipped-tests.txt");

    private static final long BLOCKED_MILLIS_MAX = 2000;
    private static final Pattern BLOCKED = Pattern.compile("Thread \\S+ has been blocked for (\\d+) ms.*", Pattern.DOTALL);
    private static final ConcurrentLinkedQueue<String> FOUND = new ConcurrentLinkedQueue<>();
    private static final Stalls STALLS = Stalls.watch();
    private static boolean watching;
    private static StateOfProcess before = StateOfProcess.now();

    @Override
    public void beforeAll(ExtensionContext context) {
        watch();
        if (context.getParent().flatMap(ExtensionContext::getTestClass).isEmpty()) {
            SharedInArea.begin(context.getRequiredTestClass());
            before = StateOfProcess.now();
        }
    }

    @Override
    public void testAborted(ExtensionContext context, Throwable cause) {
        skipped(context, String.valueOf(cause.getMessage()));
    }

    @Override
    public void testDisabled(ExtensionContext context, Optional<String> reason) {
        skipped(context, reason.orElse("no reason is given"));
    }

    private static void skipped(ExtensionContext context, String reason) {
        String line = "skipped: %s, %s: %s%n".formatted(context.getRequiredTestClass().getSimpleName(), context.getDisplayName(),
                reason.replaceFirst("^Assumption failed: ", "").replaceFirst("^skipped: ", "").replaceAll("\\s+", " "));
        System.out.print(line);
        try {
            Files.writeString(SKIPPED, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static synchronized void watch() {
        if (!watching) {
            watching = true;
            for (String name : List.of("io.vertx.core.impl.BlockedThreadChecker", "io.netty.util.ResourceLeakDetector", "io.arbitration.platform.pipeline.UndeclaredErrors")) {
                AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
                    @Override
                    protected void append(ILoggingEvent event) {
                        found(event.getFormattedMessage());
                    }
                };
                Logger logger = (Logger) LoggerFactory.getLogger(name);
                appender.setContext(logger.getLoggerContext());
                appender.start();
                logger.addAppender(appender);
            }
        }
    }

    private static void found(String message) {
        Matcher blocked = BLOCKED.matcher(message);
        if (!blocked.matches()) {
            FOUND.add(message);
            return;
        }
        long millis = Long.parseLong(blocked.group(1));
        long stalled = STALLS.within(millis);
        if (millis - stalled >= BLOCKED_MILLIS_MAX) {
            FOUND.add("%s; the machine kept event loops from running for %d ms".formatted(message, stalled));
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        List<String> found = new ArrayList<>();
        for (String one = FOUND.poll(); one != null; one = FOUND.poll()) {
            found.add(one);
        }
        if (context.getParent().flatMap(ExtensionContext::getTestClass).isEmpty()) {
            found.addAll(StateOfProcess.now().differencesFrom(before));
        }
        if (!found.isEmpty()) {
            throw new AssertionError("while %s ran: %s".formatted(context.getDisplayName(), String.join("\n", found)));
        }
    }
}
