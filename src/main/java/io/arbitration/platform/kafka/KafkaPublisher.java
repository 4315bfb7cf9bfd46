package io.arbitration.platform.kafka;

import io.arbitration.platform.events.EventSink;
import io.arbitration.platform.events.LoggedEvent;
import io.arbitration.platform.telemetry.Traces;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Utils;

/**
 * Publishes events to Kafka: the envelope, the same as on every channel, with the caseID as its key, to the topic of its kind. A
 * batch is a Kafka transaction: consumers that read committed records see all of it or nothing, and brokers fence off a node
 * whose producer was replaced by another node's. Called from one context.
 */
final class KafkaPublisher implements EventSink {

    private static final byte[] CONTENT_TYPE = "application/json".getBytes(StandardCharsets.UTF_8);

    private static final byte[] SANDBOX = "true".getBytes(StandardCharsets.UTF_8);

    private final KafkaClients clients;
    private final Supplier<KafkaTopics> topics;
    private final KafkaTopicRepository repository;
    private final KafkaSettings settings;
    private final WorkerExecutor workers;
    private final Traces traces;
    private final Map<String, Counter> published = new HashMap<>();
    private final Map<String, Integer> partitions = new HashMap<>();
    private Producer<String, String> producer;
    private Optional<Throwable> refusal = Optional.empty();

    /** @param topics a blocking call */
    KafkaPublisher(KafkaClients clients, Supplier<KafkaTopics> topics, KafkaTopicRepository repository, KafkaSettings settings,
            WorkerExecutor workers, MeterRegistry meters, Traces traces) {
        this.clients = clients;
        this.topics = topics;
        this.repository = repository;
        this.settings = settings;
        this.workers = workers;
        this.traces = traces;
        settings.events().forEach(kind -> published.put(kind, Counter.builder("kafka.published")
                .description("Events that the brokers have acknowledged").tag("topic", settings.topicPrefix() + kind).register(meters)));
    }

    /** The topic for events of a kind. */
    static String topic(KafkaSettings settings, String kind) {
        return settings.topicPrefix() + kind;
    }

    /** From now on publishes nothing, for this reason; empty: publishes again. */
    void refuse(Optional<Throwable> reason) {
        refusal = reason;
    }

    @Override
    public Future<Void> open() {
        return workers.executeBlocking(() -> topics.get().check(), false)
                .compose(checked -> Future.all(checked.stream()
                        .map(topic -> repository.partitions(topic).onSuccess(kept -> partitions.put(topic.name(), kept))).toList()))
                .compose(kept -> workers.executeBlocking(clients::producer, false))
                .compose(made -> {
                    producer = made;
                    return workers.executeBlocking(() -> {
                        made.initTransactions();
                        return null;
                    }, false);
                });
    }

    @Override
    public Future<Void> publish(List<LoggedEvent> events) {
        List<LoggedEvent> wanted = events.stream().filter(event -> settings.events().contains(event.kind())).toList();
        if (refusal.isPresent()) {
            return Future.failedFuture(refusal.get());
        }
        if (wanted.isEmpty()) {
            return Future.succeededFuture();
        }
        Producer<String, String> opened = producer;
        Instant begun = Instant.now();
        List<ProducerRecord<String, String>> records = wanted.stream().map(this::record).toList();
        return workers.executeBlocking(() -> {
            opened.beginTransaction();
            // A record that fails makes the commit fail.
            records.forEach(opened::send);
            opened.commitTransaction();
            return null;
        }, false).onSuccess(committed -> wanted.forEach(event -> published(event, begun))).mapEmpty();
    }

    private void published(LoggedEvent event, Instant begun) {
        published.get(event.kind()).increment();
        traces.recordSpan(event.trace(), new Traces.Work("kafka publishes " + event.kind(), Traces.Kind.SENDS,
                Map.of("acp.event.id", event.id().toString(), "acp.case.id", event.caseId().toString())), begun);
    }

    /**
     * The record has the time of its publication, not that of the event: an old event that is published late must not be deleted
     * by the topic's retention at once.
     */
    private ProducerRecord<String, String> record(LoggedEvent event) {
        String topic = topic(settings, event.kind());
        String key = event.caseId().toString();
        RecordHeaders headers = new RecordHeaders();
        headers.add("id", event.id().toString().getBytes(StandardCharsets.UTF_8));
        headers.add("content-type", CONTENT_TYPE);
        if (event.inSandbox()) {
            headers.add("sandbox", SANDBOX);
        }
        // For the institution's own consumers, which may continue the trace.
        event.trace().ifPresent(trace -> headers.add("traceparent", trace.getBytes(StandardCharsets.UTF_8)));
        return new ProducerRecord<>(topic, partition(key, partitions.get(topic)), null, key, event.envelope(), headers);
    }

    /** The partition that Kafka's own clients choose by key; partitions that were added to a topic later are not used. */
    static int partition(String key, int partitions) {
        return Utils.toPositive(Utils.murmur2(key.getBytes(StandardCharsets.UTF_8))) % partitions;
    }

    @Override
    public Future<Void> close() {
        if (producer == null) {
            return Future.succeededFuture();
        }
        Producer<String, String> open = producer;
        producer = null;
        return workers.executeBlocking(() -> {
            open.close(Duration.ZERO);
            return null;
        }, false);
    }
}
