package io.arbitration.platform.kafka;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** The topics to which events are published. Creates missing ones and refuses settings with which events would be lost. Blocks. */
final class KafkaTopics {

    /** An envelope with its headers is far smaller. */
    private static final long MESSAGE_BYTES_LEAST = 16_384;

    private final Admin admin;
    private final Collection<String> names;

    /** @param id changes when the topic is created again under its name */
    record Topic(String name, String id, int partitions) {}

    /** @param admin bounds the time of each call by its own settings */
    KafkaTopics(Admin admin, Collection<String> names) {
        this.admin = admin;
        this.names = names;
    }

    /**
     * The topics, all of them suitable for events.
     *
     * @throws TopicMisconfigured if one is not
     * @throws org.apache.kafka.common.KafkaException if no broker answers
     */
    List<Topic> check() {
        List<Topic> topics = new ArrayList<>();
        for (String name : names) {
            TopicDescription found = described(name).or(() -> created(name))
                    .orElseThrow(() -> new TopicMisconfigured("topic %s was made and is not there yet".formatted(name)));
            topics.add(new Topic(name, found.topicId().toString(), found.partitions().size()));
        }
        Map<ConfigResource, KafkaFuture<Config>> settings = admin.describeConfigs(
                names.stream().map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name)).toList()).values();
        settings.forEach((topic, config) -> check(topic.name(), get(config)));
        return topics;
    }

    private Optional<TopicDescription> described(String name) {
        try {
            return Optional.of(get(admin.describeTopics(List.of(name)).topicNameValues().get(name)));
        } catch (UnknownTopicOrPartitionException missing) {
            return Optional.empty();
        }
    }

    /** Creates the topic with the brokers' default numbers of partitions and replicas. */
    private Optional<TopicDescription> created(String name) {
        NewTopic topic = new NewTopic(name, Optional.empty(), Optional.empty())
                .configs(Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE));
        try {
            get(admin.createTopics(List.of(topic)).all());
        } catch (TopicExistsException madeMeanwhile) {
            return described(name);
        } catch (org.apache.kafka.common.errors.ApiException refused) {
            throw new TopicMisconfigured("topic %s is missing and the brokers do not make it: %s".formatted(name, refused.getMessage()));
        }
        return described(name);
    }

    private static void check(String name, Config config) {
        String cleanup = config.get(TopicConfig.CLEANUP_POLICY_CONFIG).value();
        if (cleanup.contains(TopicConfig.CLEANUP_POLICY_COMPACT)) {
            throw new TopicMisconfigured("topic %s: cleanup.policy is %s, which keeps the last event of a case alone; set it to delete".formatted(name, cleanup));
        }
        if (Boolean.parseBoolean(config.get(TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG).value())) {
            throw new TopicMisconfigured(
                    "topic %s: unclean.leader.election.enable is true, so that a replica behind may take over and lose events; set it to false".formatted(name));
        }
        long bytes = Long.parseLong(config.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG).value());
        if (bytes < MESSAGE_BYTES_LEAST) {
            throw new TopicMisconfigured("topic %s: max.message.bytes is %d; set it to %d or more".formatted(name, bytes, MESSAGE_BYTES_LEAST));
        }
    }

    /** Waits as long as the client's own setting {@code default.api.timeout.ms} allows. */
    private static <T> T get(KafkaFuture<T> future) {
        try {
            return future.get();
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new org.apache.kafka.common.errors.InterruptException(interrupted);
        }
    }
}
