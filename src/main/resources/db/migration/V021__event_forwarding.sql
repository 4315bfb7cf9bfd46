-- A consumer that tells something outside the database, such as Kafka, cannot do so in the transaction of its cursor: while
-- that is open all other consumers would wait. It holds the cursor by a lease instead. A term is what one holder has without
-- a break; a cursor moves only for the holder of its term.
alter table platform.event_consumers
  add column holder     uuid,
  add column term       bigint not null default 0,
  add column held_until timestamptz;

-- The number of partitions among which the cases of a topic are spread. It is kept when partitions are added to the topic,
-- which would move cases and with that their order.
create table platform.kafka_topics (
  topic      text primary key,
  topic_id   text not null,
  partitions integer not null check (partitions > 0)
);
