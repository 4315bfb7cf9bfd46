package io.arbitration.platform.telemetry;

import io.arbitration.platform.config.Configuration;

/**
 * The form of the log.
 *
 * @param level from which on lines are written
 */
public record LogsSettings(boolean json, String level) {

    public static LogsSettings read(Configuration c) {
        return new LogsSettings(c.oneOf("telemetry.logs.format", "text", "json").equals("json"),
                c.oneOf("telemetry.logs.level", "error", "warn", "info", "debug", "trace"));
    }
}
