-- Deliveries that are sent at once leave the queue by the truncation of a partition (decision 073). While a transaction of any program stays
-- open, PostgreSQL removes no dead rows, and a claim reads the index entries of all of them; a truncation waits for no snapshot.

-- What waits for its next attempt, what is replayed, and what nodes of the release before put in.
alter table webhooks.queue rename to queue_waiting;
alter table webhooks.queue_waiting add column slot smallint not null default 0;
-- Keys and indexes are those of each partition. A delivery is in one of them, as only what puts it in or moves it names the slot.
create table webhooks.queue (like webhooks.queue_waiting including defaults including constraints) partition by list (slot);
alter table webhooks.queue attach partition webhooks.queue_waiting for values in (0);

-- New deliveries, some thousand in one slot, then in the next.
create table webhooks.queue_a (like webhooks.queue_waiting including all)
  with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);
create table webhooks.queue_b (like webhooks.queue_waiting including all)
  with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);
create table webhooks.queue_c (like webhooks.queue_waiting including all)
  with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);
alter table webhooks.queue attach partition webhooks.queue_a for values in (1);
alter table webhooks.queue attach partition webhooks.queue_b for values in (2);
alter table webhooks.queue attach partition webhooks.queue_c for values in (3);

-- Nodes of the release before work on the name that they know, under a role whose rights are those of the table that had it.
do $$
declare
  node name;
begin
  for node in select distinct a.grantee::regrole::text::name from pg_class c, aclexplode(c.relacl) a
      where c.oid = 'webhooks.queue_waiting'::regclass and a.grantee <> c.relowner and a.grantee <> 0 loop
    execute format('grant select, insert, update, delete on webhooks.queue to %s', node);
  end loop;
end $$;

-- Truncates a slot that holds dead rows alone, at most one at a call, and answers how many. It waits for no other transaction for longer
-- than 50 ms: one that has read the slot keeps it as it is until a later call.
create function webhooks.empty_queue_slot(bytes_min bigint) returns int
  language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '50ms' as $$
declare
  slot regclass;
  filled boolean;
begin
  foreach slot in array array['webhooks.queue_a', 'webhooks.queue_b', 'webhooks.queue_c']::regclass[] loop
    if pg_relation_size(slot) >= bytes_min then
      execute format('select exists (select from %s)', slot) into filled;
      if not filled then
        begin
          execute format('lock table %s in access exclusive mode', slot);
          -- Once more, with a snapshot of after the lock: nothing can come in now.
          execute format('select exists (select from %s)', slot) into filled;
          if not filled then
            execute format('truncate %s', slot);
            return 1;
          end if;
        exception when lock_not_available then
          null;
        end;
      end if;
    end if;
  end loop;
  return 0;
end $$;
