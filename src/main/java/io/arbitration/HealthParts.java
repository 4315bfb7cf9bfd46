package io.arbitration;

import io.arbitration.platform.AreaServices;
import io.arbitration.platform.PartState;
import io.arbitration.platform.cluster.Cluster;
import io.arbitration.platform.nodes.Nodes;
import io.arbitration.platform.telemetry.DiskProbe;
import io.arbitration.platform.telemetry.MailProbe;
import io.arbitration.platform.telemetry.Probe;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The parts that the health of a node is made of, and who looks at each. */
final class HealthParts {

    /** How often health looks at what is near, and at servers of others. */
    static final Duration LOOK = Duration.ofSeconds(5);
    private static final Duration LOOK_FAR = Duration.ofSeconds(15);

    private final Vertx vertx;
    private final Settings settings;
    private final AreaServices services;
    private final Nodes nodes;
    private final Optional<Cluster> cluster;
    private final MeterRegistry meters;

    HealthParts(Vertx vertx, Settings settings, AreaServices services, Nodes nodes, Optional<Cluster> cluster, MeterRegistry meters) {
        this.vertx = vertx;
        this.settings = settings;
        this.services = services;
        this.nodes = nodes;
        this.cluster = cluster;
        this.meters = meters;
    }

    /** Each part and how it is, by the name that health has for it. */
    Map<String, Supplier<PartState>> all(Probe migrations, Supplier<PartState> kafka, Supplier<PartState> extensions) {
        Map<String, Supplier<PartState>> parts = new LinkedHashMap<>();
        parts.put("migrations", migrations::state);
        parts.put("definitions", nodes::definitions);
        parts.put("clock", nodes::clock);
        DiskProbe disk = services.disk();
        Gauge.builder("acp.disk.free", disk, DiskProbe::freeBytes).baseUnit("bytes").description("Room that is left where data.folder is").register(meters);
        parts.put("disk", probe("disk", LOOK, disk::look));
        parts.put("objects", probe("objects", LOOK_FAR, services.objects()::look));
        parts.put("smtp", settings.emails().smtp().url().map(url -> new MailProbe(vertx, url))
                .map(mail -> probe("smtp", LOOK_FAR, mail::look)).orElse(() -> PartState.of("OFF")));
        parts.put("browser", () -> PartState.of(services.pages().state().name()));
        parts.put("kafka", kafka);
        parts.put("cluster", () -> cluster.map(Cluster::state).orElse(PartState.of("OFF")));
        parts.put("extensions", extensions);
        return parts;
    }

    Supplier<PartState> probe(String part, Duration period, Supplier<Future<PartState>> look) {
        Probe probe = new Probe(vertx, part, period, look);
        // What answers at once is known when the node is first asked; for what does not, no start waits.
        probe.start();
        return probe::state;
    }
}
