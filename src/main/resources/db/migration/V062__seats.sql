-- The place whose working days count for a case; null: those of its rule set.
alter table cases.cases add column seat text;
create index cases_seat on cases.cases (seat) where seat is not null;

create or replace view cases_api.cases as
  select case_id, title, rule_set, phase_id, status, revision, created, response_deadline_days, seat from cases.cases;
