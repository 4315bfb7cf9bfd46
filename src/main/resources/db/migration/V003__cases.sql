-- Cases, who takes part in them and when each of their phases began.
create schema cases;
create schema cases_api;

create table cases.cases (
  case_id                uuid primary key,
  title                  text not null check (title <> ''),
  rule_set               text not null,
  phase_id               text not null,
  status                 text not null check (status in ('open', 'closed')),
  revision               bigint not null check (revision >= 1),
  response_deadline_days int not null check (response_deadline_days > 0),
  created                timestamptz not null,
  created_by             uuid not null,
  organization_id        uuid,
  request_id             text,
  closed_at              timestamptz,
  close_reason           text,
  check ((status = 'closed') = (closed_at is not null and close_reason is not null))
);
-- One case per request of a caller, whichever node it arrives at.
create unique index cases_request on cases.cases (created_by, request_id) where request_id is not null;
-- Which rule sets and phases are in use, asked at every start.
create index cases_rules on cases.cases (rule_set, phase_id);

create table cases.participants (
  case_id         uuid not null references cases.cases,
  user_id         uuid not null,
  organization_id uuid,
  party_id        text not null,
  is_primary      boolean not null,
  is_observer     boolean not null,
  added           timestamptz not null,
  -- When the case was created: someone's cases, newest first, are then one range of an index.
  case_created    timestamptz not null,
  primary key (case_id, user_id)
);
create index participants_cases on cases.participants (user_id, case_created desc, case_id desc);
create index participants_organization on cases.participants (organization_id, case_id) where organization_id is not null;

create table cases.phase_starts (
  case_id    uuid not null references cases.cases,
  phase_id   text not null,
  started_at timestamptz not null,
  primary key (case_id, phase_id)
);

-- What other areas rely on. Plain enough that a row locked through a view is the row of the table.
create view cases_api.cases as
  select case_id, title, rule_set, phase_id, status, revision, created, response_deadline_days from cases.cases;
create view cases_api.participants as
  select case_id, user_id, organization_id, party_id, is_primary, is_observer from cases.participants;
create view cases_api.phase_starts as
  select case_id, phase_id, started_at from cases.phase_starts;
