-- The open cases without a case manager, kept as a list: to find them, administrators' pages read all open cases and their participants,
-- which are a million where only a few cases wait for a case manager. An observer manages nothing.
create table cases.without_case_manager (
  case_id uuid primary key references cases.cases,
  created timestamptz not null
);
create index without_case_manager_created on cases.without_case_manager (created desc, case_id desc);

-- Nodes of the release before change cases as well, so triggers keep the list. They have the rights of the owner, because the role of those
-- nodes has none on the new table. Participants change while the row of their case is locked.
create function cases.list_without_case_manager(of_case uuid) returns void language sql as $$
  delete from cases.without_case_manager w where w.case_id = of_case and (
    exists (select from cases.participants p where p.case_id = of_case and p.party_id = 'caseManager' and not p.is_observer)
    or exists (select from cases.cases c where c.case_id = of_case and c.status <> 'open'));
  insert into cases.without_case_manager (case_id, created)
    select c.case_id, c.created from cases.cases c
    where c.case_id = of_case and c.status = 'open'
      and not exists (select from cases.participants p where p.case_id = of_case and p.party_id = 'caseManager' and not p.is_observer)
    on conflict do nothing
$$;
create function cases.case_manager_changed() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform cases.list_without_case_manager(coalesce(new.case_id, old.case_id));
  return null;
end $$;

lock table cases.cases, cases.participants in share row exclusive mode;
create trigger cases_listed_opened after insert on cases.cases for each row execute function cases.case_manager_changed();
create trigger cases_listed_closed after update on cases.cases
  for each row when (old.status <> new.status) execute function cases.case_manager_changed();
create trigger participants_listed_added after insert on cases.participants
  for each row when (new.party_id = 'caseManager') execute function cases.case_manager_changed();
create trigger participants_listed_changed after update on cases.participants
  for each row when ('caseManager' in (old.party_id, new.party_id)) execute function cases.case_manager_changed();
create trigger participants_listed_removed after delete on cases.participants
  for each row when (old.party_id = 'caseManager') execute function cases.case_manager_changed();

insert into cases.without_case_manager (case_id, created)
  select c.case_id, c.created from cases.cases c
  where c.status = 'open'
    and not exists (select from cases.participants p where p.case_id = c.case_id and p.party_id = 'caseManager' and not p.is_observer);
