-- The place whose working days count for a case; null: those of its rule set.
alter table cases.cases add column seat text;
create index cases_seat on cases.cases (seat) where seat is not null;

create or replace view cases_api.cases as
  select case_id, title, rule_set, phase_id, status, revision, created, response_deadline_days, sandbox_now, seat from cases.cases;

-- Lists across thousands of cases look whether one is closed here, and not in each case's row.
create index cases_closed on cases.cases (case_id) include (closed_at) where closed_at is not null;

-- The newest entries of somebody's cases: those of each case are read backwards from here, as far as they are asked for.
create index entries_recent on mainapi.entries (case_id, entered_at, entry_id);
