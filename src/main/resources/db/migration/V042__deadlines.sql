-- Deadlines across cases, and requests for more time.
--
-- One row for each phase, document type, party and entry that set a deadline running; the rules compute it, and it is made when its
-- trigger happens. "date" moves when an extension is granted; set_for stays what the rules said.
create table cases.deadlines (
  deadline_id   uuid primary key,
  case_id       uuid not null references cases.cases,
  phase_id      text not null,
  document_id   text not null,
  party_id      text not null,
  trigger_entry bigint,
  trigger_at    timestamptz not null,
  rule          text not null,
  raw_date      date not null,
  rolled_date   date not null,
  late          text not null check (late in ('refuse', 'mark')),
  set_for       timestamptz not null,
  extended_to   timestamptz,
  date          timestamptz not null generated always as (coalesce(extended_to, set_for)) stored,
  remind_days   int[] not null default '{}'
);
create index deadlines_case on cases.deadlines (case_id, date, deadline_id);
-- What comes due when, for those who remind people of it: a range of this index is a look, however many deadlines there are.
create index deadlines_date on cases.deadlines (date, deadline_id);
create index deadlines_extended on cases.deadlines (case_id) where extended_to is not null;

create table cases.extensions (
  extension_id  uuid primary key,
  deadline_id   uuid not null references cases.deadlines,
  case_id       uuid not null references cases.cases,
  party_id      text not null,
  requested_by  uuid not null,
  requested_at  timestamptz not null,
  until         timestamptz not null,
  reason        text not null,
  state         text not null check (state in ('open', 'withdrawn', 'granted', 'refused')),
  ended_by      uuid,
  ended_at      timestamptz,
  granted_until timestamptz,
  ruling        text,
  check ((state = 'open') = (ended_at is null)),
  check ((state = 'open') = (ended_by is null)),
  check ((state = 'granted') = (granted_until is not null)),
  check ((state in ('granted', 'refused')) = (ruling is not null))
);
create index extensions_case on cases.extensions (case_id, requested_at desc, extension_id desc);
-- One request at a time waits for its decision.
create unique index extensions_open on cases.extensions (deadline_id) where state = 'open';

-- How far ahead, in the order of dates, people were reminded so many days before a deadline.
create table cases.reminded (
  days        int primary key check (days between 1 and 60),
  date        timestamptz not null,
  deadline_id uuid not null
);

create view cases_api.extended_deadlines as
  select case_id, phase_id, document_id, party_id, trigger_at, extended_to from cases.deadlines where extended_to is not null;
create view cases_api.deadlines as
  select deadline_id, case_id, phase_id, document_id, party_id, rule, late, date, extended_to from cases.deadlines;

-- What sets deadlines running, and what meets them.
create view mainapi_api.docketed_documents as
  select case_id, entry_id, document_id, entered_at from mainapi.entries;

-- That a deadline is near is for the platform alone, as drafts are: alerts tell its party, and nobody else is told.
create or replace view platform_api.events as
  select sequence, event_id, event, case_id, actor_id, occurred_at, envelope, trace
  from platform.events where event not in ('filing_drafted', 'deadline_near');
create view platform_api.alert_events as
  select sequence, event_id, event, case_id, actor_id, occurred_at, envelope, trace
  from platform.events where event in ('docket_filing', 'case_created', 'filing_submitted', 'filing_rejected', 'deadline_near');
