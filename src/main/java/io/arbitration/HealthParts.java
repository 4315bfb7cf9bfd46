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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The parts of a node that its health names, and the check of each. */
final class HealthParts {

    /** The time between two checks of the database and the disk, and between two of the object store and the mail server. */
    static final Duration PERIOD = Duration.ofSeconds(5);
    private static final Duration REMOTE_PERIOD = Duration.ofSeconds(15);

    /** Parts without a check of their own: the last real use shows their state. Health names them also on a node that does not use them. */
    private static final List<String> OBSERVED = List.of("model", "bounces");

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

    /** The state of each part, by its name in the answer of health. */
    Map<String, Supplier<PartState>> all(Probe migrations, Supplier<PartState> kafka, Supplier<PartState> extensions) {
        Map<String, Supplier<PartState>> parts = new LinkedHashMap<>();
        parts.put("migrations", migrations::state);
        parts.put("definitions", nodes::definitions);
        parts.put("clock", nodes::clock);
        DiskProbe disk = services.disk();
        Gauge.builder("acp.disk.free", disk, DiskProbe::freeBytes).baseUnit("bytes").description("Free space of the disk of data.folder").register(meters);
        parts.put("disk", probe("disk", PERIOD, disk::check));
        parts.put("objects", probe("objects", REMOTE_PERIOD, services.objects()::check));
        parts.put("smtp", settings.emails().smtp().url().map(url -> new MailProbe(vertx, url))
                .map(mail -> used(probe("smtp", REMOTE_PERIOD, mail::check), "smtp")).orElse(() -> PartState.of("OFF")));
        parts.put("browser", () -> PartState.of(services.pages().state().name()));
        parts.put("kafka", kafka);
        parts.put("cluster", () -> cluster.map(Cluster::state).orElse(PartState.of("OFF")));
        parts.put("extensions", extensions);
        parts.put("traces", services.traces()::state);
        OBSERVED.forEach(name -> parts.put(name, () -> services.observed().state(name)));
        services.observed().all().forEach((name, part) -> parts.putIfAbsent(name, part::state));
        return parts;
    }

    /** The state at the last real use, if that failed after a check that succeeded: a mail server may answer but refuse the password. */
    private Supplier<PartState> used(Supplier<PartState> checked, String name) {
        return () -> {
            PartState used = services.observed().state(name);
            return checked.get().isWell() && !used.isWell() ? used : checked.get();
        };
    }

    Supplier<PartState> probe(String part, Duration period, Supplier<Future<PartState>> look) {
        Probe probe = new Probe(vertx, part, period, look);
        // Not awaited: a node starts also if a part does not answer.
        probe.start();
        return probe::state;
    }
}
