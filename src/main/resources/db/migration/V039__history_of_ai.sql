-- From which inputs an award was drafted is never changed. A node has no right to remove rows; it calls this function, which removes
-- only what has been kept for 90 days at least. The trigger holds the owner of the table to the same.
create function ai.refuse_early_removal() returns trigger language plpgsql as $$
begin
  if old.created > now() - interval '90 days' then
    raise exception 'awards are kept for 90 days at least';
  end if;
  return old;
end $$;
drop trigger awards_append_only on ai.awards;
create trigger awards_append_only before update or truncate on ai.awards
  for each statement execute function platform.refuse_change();
create trigger awards_kept before delete on ai.awards
  for each row execute function ai.refuse_early_removal();
create index awards_created on ai.awards (created);

create function ai.forget_awards(older_than interval, most int) returns int
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  removed int;
begin
  delete from ai.awards where award_id = any (array(
    select award_id from ai.awards where created < now() - greatest(older_than, interval '90 days') order by created limit most));
  get diagnostics removed = row_count;
  return removed;
end $$;
