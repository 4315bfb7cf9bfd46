package io.arbitration.platform.telemetry;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import io.arbitration.domain.time.Timestamps;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Writes a log event as one line, with the IDs of request, caller and case if it belongs to a request. In the text form the stack
 * trace of a failure follows in further lines; in the JSON form it is a member. A line break in a message is escaped, so that no
 * message can forge a line.
 */
public final class LogLine extends EncoderBase<ILoggingEvent> {

    private static final byte[] NOTHING = {};

    private volatile boolean json;

    /** As JSON from now on, or as text. */
    public void setJson(boolean json) {
        this.json = json;
    }

    @Override
    public byte[] headerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] footerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        return (json ? json(event) : text(event)).getBytes(StandardCharsets.UTF_8);
    }

    private static String logger(ILoggingEvent event) {
        return event.getLoggerName().substring(event.getLoggerName().lastIndexOf('.') + 1);
    }

    private static Optional<String> failure(ILoggingEvent event) {
        return Optional.ofNullable(event.getThrowableProxy()).map(ThrowableProxyUtil::asString);
    }

    private static String json(ILoggingEvent event) {
        JsonObject line = new JsonObject().put("at", Timestamps.text(event.getInstant())).put("level", event.getLevel().toString())
                .put("logger", logger(event)).put("message", event.getFormattedMessage());
        LogContext.now().ifPresent(mark -> {
            line.put("request", mark.request());
            mark.caller().ifPresent(caller -> line.put("caller", caller));
            mark.caseId().ifPresent(caseId -> line.put("case", caseId));
        });
        failure(event).ifPresent(stack -> line.put("failure", stack));
        return line.encode() + "\n";
    }

    private static String text(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(200).append(Timestamps.text(event.getInstant())).append(' ')
                .append("%-5s".formatted(event.getLevel())).append(' ').append(logger(event)).append(' ');
        event.getFormattedMessage().codePoints().forEach(point -> {
            if (Character.isISOControl(point)) {
                line.append(point == '\n' ? "\\n" : "\\u%04x".formatted(point));
            } else {
                line.appendCodePoint(point);
            }
        });
        LogContext.now().ifPresent(mark -> {
            line.append(" request=").append(mark.request());
            mark.caller().ifPresent(caller -> line.append(" caller=").append(caller));
            mark.caseId().ifPresent(caseId -> line.append(" case=").append(caseId));
        });
        line.append('\n');
        // Indented, so that no message inside the stack trace looks like a line of the log.
        failure(event).ifPresent(stack -> stack.strip().lines().forEach(one -> line.append("  ").append(one).append('\n')));
        return line.toString();
    }
}
