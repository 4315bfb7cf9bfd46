-- A notice serves a docket entry or a hearing. The release before serves entries alone, as the check allows.
create view cases_api.hearings as
  select hearing_id, case_id, title, starts_at, duration_minutes, time_zone, place, link, agenda, revision, updated, cancelled_at is not null as is_cancelled
  from cases.hearings;

alter table mainapi.notices alter column entry_id drop not null;
alter table mainapi.notices add column hearing_id uuid;
alter table mainapi.notices add constraint notices_serve_one check ((entry_id is null) <> (hearing_id is null));
