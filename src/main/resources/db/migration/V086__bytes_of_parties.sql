-- The bytes of exhibits and files of filings of each party in a case. With a share for each party, none can use up the bytes of its case so
-- that the files of the other side are refused.
create table mainapi.party_evidence_bytes (
  case_id  uuid not null,
  party_id text not null,
  bytes    bigint not null check (bytes >= 0),
  primary key (case_id, party_id)
);

-- Until this migration ends nothing is added, so what is counted below is everything from before.
lock table mainapi.uploads, mainapi.files in share row exclusive mode;

-- Always in the order case, party, user, so that two transactions never deadlock. As before, the owner of the schema counts, because
-- nodes of the release before have no rights on the new table.
create or replace function mainapi.count_evidence_bytes() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into mainapi.case_evidence_bytes as c (case_id, bytes) values (new.case_id, new.bytes)
    on conflict (case_id) do update set bytes = c.bytes + excluded.bytes;
  insert into mainapi.party_evidence_bytes as p (case_id, party_id, bytes) values (new.case_id, new.party_id, new.bytes)
    on conflict (case_id, party_id) do update set bytes = p.bytes + excluded.bytes;
  insert into mainapi.user_evidence_bytes as u (user_id, bytes) values (new.user_id, new.bytes)
    on conflict (user_id) do update set bytes = u.bytes + excluded.bytes;
  return null;
end
$$;

-- A case has the filed file and, if there is one, its redacted version. Its party and user have what they filed: the redacted version is
-- the case manager's, so it does not count for them. A file never changes its filing, and a filing never its party.
create or replace function mainapi.count_file_bytes() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp as $$
declare
  stored bigint := 0;
  filed  bigint := 0;
begin
  if tg_op <> 'INSERT' then
    stored := stored - old.bytes - coalesce(old.original_bytes, 0);
    filed := filed - coalesce(old.original_bytes, old.bytes);
  end if;
  if tg_op <> 'DELETE' then
    stored := stored + new.bytes + coalesce(new.original_bytes, 0);
    filed := filed + coalesce(new.original_bytes, new.bytes);
  end if;
  -- What is removed was counted, so its rows are there.
  if stored <> 0 then
    insert into mainapi.case_evidence_bytes as c (case_id, bytes) values (coalesce(new.case_id, old.case_id), greatest(stored, 0))
      on conflict (case_id) do update set bytes = c.bytes + stored;
  end if;
  if filed <> 0 then
    insert into mainapi.party_evidence_bytes as p (case_id, party_id, bytes)
      select f.case_id, f.party_id, greatest(filed, 0) from mainapi.filings f where f.filing_id = coalesce(new.filing_id, old.filing_id)
      on conflict (case_id, party_id) do update set bytes = p.bytes + filed;
    insert into mainapi.user_evidence_bytes as u (user_id, bytes) values (coalesce(new.user_id, old.user_id), greatest(filed, 0))
      on conflict (user_id) do update set bytes = u.bytes + filed;
  end if;
  return null;
end
$$;

insert into mainapi.party_evidence_bytes (case_id, party_id, bytes)
  select case_id, party_id, sum(bytes) from (
    select u.case_id, u.party_id, u.bytes from mainapi.uploads u
    union all
    select f.case_id, f.party_id, coalesce(i.original_bytes, i.bytes) from mainapi.files i join mainapi.filings f on f.filing_id = i.filing_id
  ) each_file group by case_id, party_id;

-- Redacted versions had been counted for the users who filed the originals. A user whose upload waits for this migration has locked its own
-- row already; to wait for it would be a deadlock, so that user keeps the larger count.
with redacted as (select user_id, sum(bytes) as bytes from mainapi.files where original_bytes is not null group by user_id),
  free as materialized (select user_id from mainapi.user_evidence_bytes where user_id in (select user_id from redacted) for update skip locked)
update mainapi.user_evidence_bytes u set bytes = u.bytes - redacted.bytes
  from redacted join free using (user_id) where redacted.user_id = u.user_id;
