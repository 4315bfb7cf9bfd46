package io.arbitration.platform.kafka;

import io.arbitration.platform.AreaServices;
import io.arbitration.platform.PartState;
import io.arbitration.platform.config.ConfigurationError;
import io.arbitration.platform.events.EventForwarder;
import io.arbitration.platform.outbound.RefusedCertificate;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the event log to Kafka, on one node at a time. On every node it checks the topics at the start and every {@value
 * #PROBE_MILLIS} ms, and reports the state of Kafka. A node also starts while no broker answers.
 */
public final class KafkaVerticle extends VerticleBase {

    private static final String CONSUMER = "kafka";
    private static final int WORKERS = 2;
    private static final long PROBE_MILLIS = 3000;
    private static final Logger LOG = LoggerFactory.getLogger(KafkaVerticle.class);

    private final AreaServices services;
    private final Supplier<Optional<String>> differs;
    private final KafkaSettings settings;
    private final KafkaClients clients;
    private final List<String> topicNames;
    private volatile PartState state = PartState.of("STARTING");
    private WorkerExecutor workers;
    /** Used by one worker at a time. */
    private volatile Admin admin;
    private KafkaPublisher publisher;
    private EventForwarder forwarder;
    private boolean probing;

    /** @param differs why this node must not publish; empty: it may */
    public KafkaVerticle(AreaServices services, KafkaSettings settings, Supplier<Optional<String>> differs) {
        this.services = services;
        this.differs = differs;
        this.settings = settings;
        this.clients = new KafkaClients(settings);
        this.topicNames = new TreeSet<>(settings.events()).stream().map(kind -> KafkaPublisher.topic(settings, kind)).toList();
    }

    /**
     * The state of Kafka for this node: the result of the last check or, if that was good, why events could not be published.
     * From any thread.
     */
    public PartState state() {
        PartState seen = state;
        return seen.word().equals("UP") ? forwarder.lastFailure().map(this::trouble).orElse(seen) : seen;
    }

    @Override
    public Future<?> start() {
        workers = vertx.createSharedWorkerExecutor("kafka", WORKERS, 1, TimeUnit.MINUTES);
        publisher = new KafkaPublisher(clients, this::topics, new KafkaTopicRepository(services.database()), settings,
                workers, services.meters(), services.traces());
        forwarder = new EventForwarder(vertx, services.database(), services.notifications(), services.meters(), CONSUMER,
                EventForwarder.From.BEGINNING, publisher);
        return workers.executeBlocking(this::admin, false)
                .map(true)
                .recover(failed -> failed instanceof ConfigurationError ? Future.failedFuture(failed) : Future.succeededFuture(false))
                .compose(made -> forwarder.start())
                .onSuccess(started -> {
                    vertx.setPeriodic(PROBE_MILLIS, timer -> probe());
                    probe();
                });
    }

    private synchronized Admin admin() {
        if (admin == null) {
            admin = clients.admin();
        }
        return admin;
    }

    private KafkaTopics topics() {
        return new KafkaTopics(admin(), topicNames);
    }

    private void probe() {
        if (probing) {
            return;
        }
        probing = true;
        workers.executeBlocking(this::check, false).onComplete(topics -> {
            probing = false;
            boolean wasDown = !state.word().equals("UP");
            publisher.refuse(Optional.empty());
            setState(PartState.of("UP"));
            if (wasDown) {
                forwarder.publish();
            }
        }, failed -> {
            probing = false;
            publisher.refuse(Optional.of(failed).filter(TopicMisconfigured.class::isInstance));
            setState(trouble(failed));
        });
    }

    private List<KafkaTopics.Topic> check() {
        differs.get().ifPresent(difference -> {
            throw new TopicMisconfigured(difference);
        });
        return topics().check();
    }

    private void setState(PartState now) {
        if (now.equals(state)) {
            return;
        }
        now.trouble().ifPresentOrElse(trouble -> LOG.error("Kafka does not accept events: {}", trouble), () -> LOG.info("Kafka is {}", now.word()));
        state = now;
    }

    private PartState trouble(Throwable failed) {
        return switch (failed) {
            case TopicMisconfigured topic -> new PartState("MISCONFIGURED", Optional.of(topic.getMessage()));
            case TimeoutException silent -> new PartState("DOWN", Optional.of(
                    "no broker of %s answers within %d s".formatted(settings.bootstrapServers().orElse(""), Duration.ofMillis(KafkaClients.CALL_MILLIS_MAX).toSeconds())));
            // A producer that has failed reports this at every call; the cause has the first failure.
            case KafkaException again when again.getCause() instanceof KafkaException first -> trouble(first);
            default -> new PartState("DOWN", Optional.of("brokers %s: %s: %s".formatted(
                    settings.bootstrapServers().orElse(""), failed.getClass().getSimpleName(), RefusedCertificate.reason(failed).orElse(failed.getMessage()))));
        };
    }

    @Override
    public Future<?> stop() {
        return forwarder.stop().eventually(() -> workers.executeBlocking(() -> {
            if (admin != null) {
                admin.close(Duration.ZERO);
            }
            return null;
        }, false)).eventually(() -> workers.close());
    }
}
