package io.arbitration.platform.telemetry;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.VertxOptions;
import io.vertx.core.spi.VertxMetricsFactory;
import io.vertx.micrometer.MicrometerMetricsFactory;
import io.vertx.micrometer.MicrometerMetricsOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The metrics of a node, for Prometheus. The number of series is bounded, whatever clients send: no label contains a value that a
 * client chose, and after {@value #METERS_MAX} meters none is added.
 */
public final class Meters implements AutoCloseable {

    private static final int METERS_MAX = 10_000;
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE");
    private static final int KILOBYTE = 1024;
    private static final Path RESIDENT = Path.of("/proc/self/status");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics garbage = new JvmGcMetrics();

    /** A new registry that measures the JVM and the process. */
    public Meters() {
        registry.config()
                .meterFilter(MeterFilter.replaceTagValues("method", method -> METHODS.contains(method) ? method : "OTHER"))
                .meterFilter(MeterFilter.maximumAllowableMetrics(METERS_MAX));
        List.of(new JvmMemoryMetrics(), garbage, new JvmThreadMetrics(), new ClassLoaderMetrics(), new ProcessorMetrics(), new UptimeMetrics(),
                new FileDescriptorMetrics()).forEach(meter -> meter.bindTo(registry));
        if (Files.isReadable(RESIDENT)) {
            Gauge.builder("process.resident.memory", Meters::residentBytes).baseUnit("bytes")
                    .description("Memory of this process that is in RAM, the browser's and an embedded database's not counted").register(registry);
        }
    }

    /**
     * Makes Vert.x measure into this registry. Vert.x keeps the registries of a process in one map by name, and gives a second
     * Vert.x the registry that the first one has under that name; so each gets a unique name.
     */
    public VertxMetricsFactory measure(VertxOptions options) {
        options.setMetricsOptions(new MicrometerMetricsOptions().setEnabled(true).setRegistryName("node-" + UUID.randomUUID()));
        return new MicrometerMetricsFactory(registry);
    }

    public PrometheusMeterRegistry registry() {
        return registry;
    }

    private static double residentBytes() {
        try {
            return Files.readAllLines(RESIDENT).stream().filter(line -> line.startsWith("VmRSS:"))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) * KILOBYTE).findFirst().orElse(Double.NaN);
        } catch (IOException gone) {
            // Prometheus shows an unknown value as NaN.
            return Double.NaN;
        }
    }

    @Override
    public void close() {
        garbage.close();
    }
}
