package io.arbitration.platform.telemetry;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.joran.spi.ConsoleTarget;
import java.time.Duration;
import org.slf4j.LoggerFactory;

/**
 * Writes the log to standard error without making the caller wait. A line is encoded on the thread that logs, where its request is
 * known, and waits in a buffer of a megabyte for the thread that writes.
 */
public final class LogAppender extends OutputStreamAppender<ILoggingEvent> {

    private static final int BUFFER_BYTES = 1 << 20;
    private static final Duration FLUSH_AT_EXIT = Duration.ofSeconds(2);

    private final LogBuffer buffer = new LogBuffer(ConsoleTarget.SystemErr.getStream(), BUFFER_BYTES,
            lines -> LoggerFactory.getLogger(LogAppender.class).warn("{} lines of the log were dropped: standard error accepted none", lines));

    @Override
    public void start() {
        buffer.start();
        setOutputStream(buffer);
        super.start();
        Runtime.getRuntime().addShutdownHook(new Thread(this::flush, "log-flush"));
    }

    /** Waits until the lines of before are written, for two seconds at most. */
    void flush() {
        buffer.flush(FLUSH_AT_EXIT);
    }
}
