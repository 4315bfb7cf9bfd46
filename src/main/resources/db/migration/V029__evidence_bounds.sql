-- How many bytes of evidence a case holds and a user has uploaded: the quotas are checked against these. A trigger counts, so
-- that the uploads of a node which does not know these tables yet are counted as well.
create table mainapi.case_evidence_bytes (
  case_id uuid primary key,
  bytes   bigint not null check (bytes >= 0)
);
create table mainapi.user_evidence_bytes (
  user_id uuid primary key,
  bytes   bigint not null check (bytes >= 0)
);

-- Always the case first and then the user: two uploads never wait for each other in a circle.
create function mainapi.count_evidence_bytes() returns trigger language plpgsql as $$
begin
  insert into mainapi.case_evidence_bytes as c (case_id, bytes) values (new.case_id, new.bytes)
    on conflict (case_id) do update set bytes = c.bytes + excluded.bytes;
  insert into mainapi.user_evidence_bytes as u (user_id, bytes) values (new.user_id, new.bytes)
    on conflict (user_id) do update set bytes = u.bytes + excluded.bytes;
  return null;
end
$$;
-- Making the trigger locks the table against inserts until this migration ends: what is counted below is all there is before it.
create trigger uploads_count_bytes after insert on mainapi.uploads
  for each row execute function mainapi.count_evidence_bytes();

insert into mainapi.case_evidence_bytes (case_id, bytes)
  select case_id, sum(bytes) from mainapi.uploads group by case_id;
insert into mainapi.user_evidence_bytes (user_id, bytes)
  select user_id, sum(bytes) from mainapi.uploads group by user_id;

-- Observers see what the other members of their side see.
create or replace view mainapi_api.upload_readers as
  select p.user_id as reader_id, p.party_id = u.party_id or p.party_id = 'caseManager' as at_any_time, u.*
  from mainapi.uploads u join cases_api.participants p on p.case_id = u.case_id;

-- What the rules have always said of participants and phases, held by the database as well.
alter table cases.participants add constraint participants_observer_is_not_primary check (not (is_primary and is_observer));
