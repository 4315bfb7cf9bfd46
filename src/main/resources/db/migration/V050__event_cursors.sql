-- Consumers read the event log in the order of its sequence and remember which sequences they have not seen, in place of stopping
-- before the oldest open transaction of the server (decision 045).

-- A sequence is drawn by a transaction that has its number already: from the number a consumer can tell when a sequence that it has
-- not seen will never come.
create function platform.number_transaction() returns trigger language plpgsql as $$
begin
  perform pg_current_xact_id();
  return null;
end $$;
create trigger events_numbered before insert on platform.events
  for each statement execute function platform.number_transaction();

-- read_up_to: the highest sequence that was read. missing, missing_longer: lower sequences that were not, because their transactions
-- were open or rolled back. Those of missing_longer were drawn by transactions before settles_at: when these have ended, what is still
-- not there will never be.
--
-- A cursor is read either by sequence, and then its transaction is the highest number there is, so that nodes of the release before
-- find nothing to read; or by transaction and sequence, by those nodes alone.
alter table platform.event_consumers
  add column read_up_to     bigint         not null default 0,
  add column missing        int8multirange not null default '{}',
  add column missing_longer int8multirange not null default '{}',
  add column settles_at     xid8           not null default '0';

-- From now on a cursor is read by sequence: what had been taken is taken. A node of this release calls this before it reads. No event can
-- be appended meanwhile, so that each is visible here. The new term ends the lease of a node that was publishing.
create function platform.read_by_sequence(of text) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  place platform.event_consumers;
begin
  if exists (select from platform.event_consumers c where c.consumer = of and c.transaction <> '18446744073709551615') then
    lock table platform.events in share mode;
    select * into place from platform.event_consumers c
      where c.consumer = of and c.transaction <> '18446744073709551615' for update;
    if not found then
      return;
    end if;
    place.read_up_to := case when place.transaction = '0' then 0 else coalesce((
      select e.sequence from platform.events e where (e.transaction, e.sequence) <= (place.transaction, place.sequence)
      order by e.sequence desc limit 1), 0) end;
    update platform.event_consumers c set
        read_up_to = place.read_up_to,
        missing = coalesce((select range_agg(int8range(e.sequence, e.sequence + 1)) from platform.events e
          where e.sequence <= place.read_up_to and (e.transaction, e.sequence) > (place.transaction, place.sequence)), '{}'),
        missing_longer = '{}', settles_at = '0', transaction = '18446744073709551615', term = c.term + 1, holder = null, held_until = null
      where c.consumer = of;
  end if;
end $$;

-- For going back to the release before: from now on nodes of that release read every cursor, by transaction and sequence. Refuses
-- when a cursor has taken an event which would come, in that order, after one that it has not: it would be told twice. For the owner: a
-- node has no right to lock the table.
create function platform.read_by_transaction() returns void language plpgsql as $$
declare
  place platform.event_consumers;
  unread platform.events;
  taken platform.events;
begin
  lock table platform.events in share mode;
  for place in select * from platform.event_consumers where transaction = '18446744073709551615' for update loop
    select * into unread from platform.events e
      where e.sequence > place.read_up_to or e.sequence <@ (place.missing + place.missing_longer)
      order by e.transaction, e.sequence limit 1;
    select * into taken from platform.events e
      where e.sequence <= place.read_up_to and not e.sequence <@ (place.missing + place.missing_longer)
      order by e.transaction desc, e.sequence desc limit 1;
    if (taken.transaction, taken.sequence) > (unread.transaction, unread.sequence) then
      raise exception 'consumer % has not read event % yet: let a node of this release run for a moment, stop it, and try again',
        place.consumer, unread.sequence;
    end if;
    update platform.event_consumers c set transaction = coalesce(taken.transaction, '0'), sequence = coalesce(taken.sequence, 0),
        term = c.term + 1, holder = null, held_until = null
      where c.consumer = place.consumer;
  end loop;
end $$;
