package io.arbitration.platform.kafka;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;

/** Keeps over how many partitions of a topic cases are spread, so that a case stays in its partition when a topic grows. */
final class KafkaTopicRepository {

    private final Database database;

    KafkaTopicRepository(Database database) {
        this.database = database;
    }

    /** The number kept for this topic; where none is, the present number is kept. A topic that was deleted and made again is another topic. */
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
