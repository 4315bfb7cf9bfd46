-- Telling people of what happened in their cases.

-- What the alerts rely on beside what was published before: since when somebody takes part, and what an entry is called.
create or replace view cases_api.participants as
  select case_id, user_id, organization_id, party_id, is_primary, is_observer, added from cases.participants;
create index participants_added on cases.participants (added);
create view mainapi_api.docket_entries as
  select entry_id, case_id, number, title, entered_at from mainapi.entries;

-- One row per event, person and channel, whatever became of it: nobody is told twice.
create table alerts.alerts (
  alert_id bigint generated always as identity primary key,
  sequence bigint not null,
  user_id  uuid not null,
  channel  text not null check (channel in ('email', 'push')),
  -- dropped: the person did not want it, or may not see it any more. refused: the channel can not carry it.
  state    text not null check (state in ('pending', 'told', 'dropped', 'refused')),
  reason   text,
  attempts int not null default 0,
  -- Time of the next attempt, or, while claimed, the end of the lease; null when it ended.
  due      timestamptz,
  claim    uuid,
  created  timestamptz not null default now(),
  unique (sequence, user_id, channel),
  check ((due is null) = (state <> 'pending'))
);
create index alerts_due on alerts.alerts (due) where due is not null;

-- Up to when people were looked for who joined a case after it was created.
create table alerts.joined (
  only_one   boolean primary key default true check (only_one),
  looked_at  timestamptz not null
);
insert into alerts.joined (looked_at) values (now());
