package io.arbitration.platform.kafka;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;

/** Among how many partitions of a topic cases are spread. */
final class KafkaTopicRepository {

    private final Database database;

    KafkaTopicRepository(Database database) {
        this.database = database;
    }

    /** The number that was kept for this topic, or else the present one, which is kept. A topic made again under its name is another topic. */
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
