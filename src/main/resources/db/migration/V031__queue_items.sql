-- One lease queue for every area that has something to do later, and at least once. An area's own table keeps what an item is about;
-- this one keeps when it is due and which claim holds it. An item that is done is deleted, so that the size of this table, not that of
-- the history, decides what a claim costs. It has no foreign keys: an item is written in the statement that writes what it is about.
create table platform.queue_items (
  queue      text not null,
  -- Of the row that the item is about.
  key        bigint not null,
  -- In a queue that serves lanes one after the other; null in others.
  lane       text,
  -- Recorded ones.
  attempts   int not null default 0,
  -- Claims in a row for which nobody has recorded an outcome.
  unrecorded int not null default 0,
  -- Time of the next attempt, or, while claimed, the end of the lease.
  due        timestamptz not null,
  claim      uuid,
  primary key (queue, key)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);
create index queue_items_due on platform.queue_items (queue, due);

-- What areas may know of the queue: which of their items a node works on now.
create view platform_api.queue_leases as
  select queue, key from platform.queue_items where claim is not null and due > now();

-- Puts items into a queue, due at once, and notifies its dispatchers at the commit. To be called in the statement that writes what the
-- items are about. Null or an empty array: nothing happens.
create function platform.enqueue(queue_name text, keys bigint[], lanes text[] default null) returns void language plpgsql as $$
begin
  if cardinality(keys) > 0 then
    insert into platform.queue_items (queue, key, lane, due)
      select queue_name, k.key, k.lane, now() from unnest(keys, lanes) as k(key, lane)
      on conflict (queue, key) do nothing;
    perform pg_notify(queue_name || '_due', '');
  end if;
end $$;

-- Takes over what nodes of the release before have put into the queues of their own tables, unless such a node holds it under a lease.
-- In tables that keep the content as well, "infinity" says that the item is in this queue: it is never due there, so no node of the
-- release before claims it, and their check that what waits has a due time holds. Goes, with those columns, a release later.
create function platform.adopt_queue_items(queue_name text) returns int language plpgsql as $$
declare
  adopted int := 0;
begin
  if queue_name = 'emails' then
    with moved as (
      delete from emails.queue where delivery_id in (
        select delivery_id from emails.queue where claim is null or due <= now() order by due limit 10000 for update skip locked)
      returning delivery_id, attempts, case when claim is null then due else now() end as due)
    insert into platform.queue_items (queue, key, attempts, due)
      select queue_name, delivery_id, attempts, due from moved on conflict (queue, key) do nothing;
    get diagnostics adopted = row_count;
  elsif queue_name = 'notices' then
    with moved as (
      delete from mainapi.notice_outbox where recipient_id in (
        select recipient_id from mainapi.notice_outbox where claim is null or due <= now() order by due limit 10000 for update skip locked)
      returning recipient_id, attempts, case when claim is null then due else now() end as due)
    insert into platform.queue_items (queue, key, attempts, due)
      select queue_name, recipient_id, attempts, due from moved on conflict (queue, key) do nothing;
    get diagnostics adopted = row_count;
  elsif queue_name = 'alerts' then
    with waiting as (
      select alert_id, case when claim is null then due else now() end as due from alerts.alerts
      where due < 'infinity' and (claim is null or due <= now()) order by due limit 10000 for update skip locked),
    moved as (
      update alerts.alerts a set due = 'infinity', claim = null from waiting w where a.alert_id = w.alert_id
      returning a.alert_id, a.attempts, w.due)
    insert into platform.queue_items (queue, key, attempts, due)
      select queue_name, alert_id, attempts, due from moved on conflict (queue, key) do nothing;
    get diagnostics adopted = row_count;
  elsif queue_name = 'analyses' then
    with waiting as (
      select analysis_id, case when claim is null then due else now() end as due from ai.analyses
      where due < 'infinity' and (claim is null or due <= now()) order by due limit 10000 for update skip locked),
    moved as (
      update ai.analyses a set due = 'infinity', claim = null from waiting w where a.analysis_id = w.analysis_id
      returning a.analysis_id, a.case_id, a.attempts, w.due)
    insert into platform.queue_items (queue, key, lane, attempts, due)
      select queue_name, analysis_id, case_id::text, attempts, due from moved on conflict (queue, key) do nothing;
    get diagnostics adopted = row_count;
  elsif queue_name = 'webhook_notices' then
    with waiting as (
      select notice_id, case when claim is null then due else now() end as due from webhooks.notices
      where due < 'infinity' and (claim is null or due <= now()) order by due limit 10000 for update skip locked),
    moved as (
      update webhooks.notices n set due = 'infinity', claim = null from waiting w where n.notice_id = w.notice_id
      returning n.notice_id, n.attempts, w.due)
    insert into platform.queue_items (queue, key, attempts, due)
      select queue_name, notice_id, attempts, due from moved on conflict (queue, key) do nothing;
    get diagnostics adopted = row_count;
  end if;
  return adopted;
end $$;

select platform.adopt_queue_items(queue) from unnest(array['emails', 'notices', 'alerts', 'analyses', 'webhook_notices']) as q(queue);
