package io.arbitration.platform.telemetry;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import org.slf4j.LoggerFactory;

/** The log of this process: its settings, and its end. Until the settings are read, the log is text. */
public final class Logs {

    private Logs() {}

    /** Sets the form and the level of the log. */
    public static void apply(LogsSettings settings) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
            root.setLevel(Level.valueOf(settings.level()));
            root.iteratorForAppenders().forEachRemaining(appender -> {
                if (appender instanceof OutputStreamAppender<ILoggingEvent> output && output.getEncoder() instanceof LogLine line) {
                    line.setJson(settings.json());
                }
            });
        }
    }

    /** Waits until the lines of before are written, for two seconds at most; to be called when a node has stopped. */
    public static void flush() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).iteratorForAppenders().forEachRemaining(appender -> {
                if (appender instanceof LogAppender standardError) {
                    standardError.flush();
                }
            });
        }
    }
}
