package io.arbitration.platform.kafka;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;

/**
 * Stores the number of partitions over which the cases of a topic are distributed, so that a case stays in its partition when a
 * topic grows.
 */
final class KafkaTopicRepository {

    private final Database database;

    KafkaTopicRepository(Database database) {
        this.database = database;
    }

    /**
     * The number stored for this topic; if there is none, the present number is stored. A topic that was deleted and created
     * again is another topic.
     */
    Future<Integer> partitions(KafkaTopics.Topic topic) {
        return database.query("""
                insert into platform.kafka_topics as kept (topic, topic_id, partitions) values ($1, $2, $3)
                on conflict (topic) do update set
                  partitions = case when kept.topic_id = excluded.topic_id then kept.partitions else excluded.partitions end,
                  topic_id = excluded.topic_id
                returning partitions
                """, Tuple.of(topic.name(), topic.id(), topic.partitions()), row -> row.getInteger(0)).map(rows -> rows.getFirst());
    }
}
