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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * What a node measures, for Prometheus. Whatever clients send, the number of series has a bound: a label never holds what a
 * client chose, and beyond {@value #METERS_MAX} meters none is added.
 */
public final class Meters implements AutoCloseable {

    private static final int METERS_MAX = 10_000;
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE");
    private static final int KILOBYTE = 1024;
    private static final Path RESIDENT = Path.of("/proc/self/status");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics garbage = new JvmGcMetrics();

    /** A fresh registry that knows the JVM and the process. */
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

    public PrometheusMeterRegistry registry() {
        return registry;
    }

    private static double residentBytes() {
        try {
            return Files.readAllLines(RESIDENT).stream().filter(line -> line.startsWith("VmRSS:"))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) * KILOBYTE).findFirst().orElse(Double.NaN);
        } catch (IOException gone) {
            // Prometheus shows what is not known as NaN.
            return Double.NaN;
        }
    }

    @Override
    public void close() {
        garbage.close();
    }
}
