-- A transaction notifies of changes only while a node follows them, because a commit that notifies waits for every other such commit of the
-- server. A node that follows holds the advisory lock 7308079 in shared mode, in the session that listens; so the lock ends with that
-- session. Whoever writes tries to get the lock alone: if this fails, somebody follows, or somebody else tries at that moment, and one
-- notification is sent that nobody reads. Nodes of the release before do not follow changes.
create function platform.follow_changes() returns void language sql as $$ select pg_advisory_lock_shared(7308079) $$;
create function platform.unfollow_changes() returns boolean language sql as $$ select pg_advisory_unlock_shared(7308079) $$;
create function platform.changes_are_followed() returns boolean language sql as $$
  select case when pg_try_advisory_lock(7308079) then not pg_advisory_unlock(7308079) else true end
$$;

create or replace function platform.notify_change(kind text, audience text, id uuid, detail text default '') returns void language sql as $$
  select case when platform.changes_are_followed() then pg_notify('platform_changes', kind || ' ' || audience || ' ' || coalesce(id::text, '-') || ' ' || detail) end
$$;

-- The transactions under way that have written to a table whose changes are told of. Those that wrote before a node began to follow may not
-- have notified, so that node waits for their ends.
create view platform.change_writers as
  select distinct l.virtualtransaction as writer
  from pg_locks l
  join pg_trigger t on t.tgrelid = l.relation and t.tgname like '%\_notify%'
  where l.locktype = 'relation' and l.mode = 'RowExclusiveLock' and l.granted
    and l.database = (select d.oid from pg_database d where d.datname = current_database());

-- A trigger for each row with a condition costs less than one for a statement, which keeps a copy of every written row. The function is not
-- called while nobody follows. Replaced in place, because dropping a trigger would also wait for readers.
-- Whoever approved or rejected a filing no longer sees it once it is a draft again, and is told so.
create function mainapi.notify_filing() returns trigger language plpgsql as $$
begin
  perform platform.notify_change('filing', 'parties', new.case_id, concat_ws(',', new.party_id,
    case when new.state = 'docketed' then null when new.submitted_at is not null then new.approver_party else old.approver_party end));
  return null;
end $$;
create or replace trigger filings_notify_insert after insert on mainapi.filings
  for each row when (platform.changes_are_followed()) execute function mainapi.notify_filing();
create or replace trigger filings_notify_update after update on mainapi.filings
  for each row when (platform.changes_are_followed()) execute function mainapi.notify_filing();

create function mainapi.notify_upload() returns trigger language plpgsql as $$
begin
  perform platform.notify_change('evidence', 'evidence', new.case_id, new.party_id);
  return null;
end $$;
create or replace trigger uploads_notify after insert on mainapi.uploads
  for each row when (platform.changes_are_followed()) execute function mainapi.notify_upload();

create function emails.notify_result() returns trigger language plpgsql as $$
begin
  perform platform.notify_change('notice', 'notice', null, e.idempotency_key)
    from emails.deliveries d join emails.emails e on e.email_id = d.email_id
    where d.delivery_id = new.delivery_id and e.sender_id is null and e.template = 'service-of-notice';
  return null;
end $$;
create or replace trigger attempts_notify after insert on emails.attempts
  for each row when (platform.changes_are_followed()) execute function emails.notify_result();
create or replace trigger bounces_notify after insert on emails.bounces
  for each row when (platform.changes_are_followed()) execute function emails.notify_result();
create or replace trigger deliveries_notify after insert on emails.deliveries
  for each row when (platform.changes_are_followed()) execute function emails.notify_result();

create function cases.notify_deadline() returns trigger language plpgsql as $$
begin
  perform platform.notify_change('deadline', 'case', coalesce(new.case_id, old.case_id));
  return null;
end $$;
create or replace trigger deadlines_notify_insert after insert on cases.deadlines
  for each row when (platform.changes_are_followed()) execute function cases.notify_deadline();
create or replace trigger deadlines_notify_update after update on cases.deadlines
  for each row when (platform.changes_are_followed()) execute function cases.notify_deadline();
create or replace trigger deadlines_notify_delete after delete on cases.deadlines
  for each row when (platform.changes_are_followed()) execute function cases.notify_deadline();

create function webhooks.notify_delivery() returns trigger language plpgsql as $$
begin
  perform platform.notify_change('delivery', 'organization', new.organization_id);
  return null;
end $$;
create or replace trigger deliveries_notify_insert after insert on webhooks.deliveries
  for each row when (platform.changes_are_followed()) execute function webhooks.notify_delivery();
create or replace trigger deliveries_notify_update after update on webhooks.deliveries
  for each row when (platform.changes_are_followed()) execute function webhooks.notify_delivery();
-- An attempt that failed is tried again and leaves its delivery as it was. One that did not also ends its delivery.
create function webhooks.notify_attempt() returns trigger language plpgsql as $$
begin
  perform platform.notify_change('delivery', 'organization', d.organization_id) from webhooks.deliveries d where d.delivery_id = new.delivery_id;
  return null;
end $$;
create or replace trigger attempts_notify after insert on webhooks.attempts
  for each row when ((new.error is not null or new.status not between 200 and 299) and platform.changes_are_followed())
  execute function webhooks.notify_attempt();

drop function mainapi.notify_filings;
drop function mainapi.notify_uploads;
drop function emails.notify_results;
drop function cases.notify_deadlines;
drop function webhooks.notify_deliveries;
drop function webhooks.notify_attempts;
