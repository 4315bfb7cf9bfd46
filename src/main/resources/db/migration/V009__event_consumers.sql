-- How far each consumer of the event log has read.
--
-- A position is (transaction, sequence), not the sequence alone: sequences are given out before the commit, so that a
-- lower one may become visible after a higher one. Every transaction below pg_snapshot_xmin is settled; in the order of
-- transactions nothing appears behind a reader who stops there.
create table platform.event_consumers (
  consumer    text primary key,
  transaction xid8 not null default '0',
  sequence    bigint not null default 0
);
create index events_transaction on platform.events (transaction, sequence);

create schema platform_api;
create view platform_api.events as
  select sequence, event_id, event, case_id, actor_id, occurred_at, envelope from platform.events;
