package io.arbitration.platform.telemetry;

import io.arbitration.platform.config.Configuration;
import java.util.Map;
import java.util.Optional;

/**
 * Which requests are traced, and to which collector traces are sent.
 *
 * @param endpoint of a collector of OpenTelemetry, OTLP over HTTP; empty: nothing is traced
 * @param headers that it requires; may contain secrets
 * @param samplesPerMille the number of traced requests among a thousand
 */
public record TracesSettings(Optional<String> endpoint, Map<String, String> headers, int samplesPerMille, String serviceName) {

    public static TracesSettings read(Configuration c) {
        return new TracesSettings(
                c.optional("telemetry.traces.endpoint", "http or https and a host", Configuration.matching("https?://[^\\s/?#@]+(/[^\\s?#]*)?")),
                c.texts("telemetry.traces.headers"), c.whole("telemetry.traces.samplesPerMille", 1, 1000), c.required("telemetry.traces.serviceName"));
    }

    /** Without the values of headers. */
    @Override
    public String toString() {
        return "TracesSettings[%s, %s]".formatted(endpoint, headers.keySet());
    }
}
