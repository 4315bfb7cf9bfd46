-- Hearings of cases, and telling people of them. Emails can carry an entry for the recipient's calendar (RFC 5546).

create table cases.hearings (
  hearing_id       uuid primary key,
  case_id          uuid not null references cases.cases,
  title            text not null,
  starts_at        timestamptz not null,
  duration_minutes int not null check (duration_minutes between 1 and 20160),
  time_zone        text not null,
  place            text,
  link             text,
  agenda           text,
  -- From 1; a calendar's SEQUENCE is one less.
  revision         bigint not null check (revision >= 1),
  cancelled_by     uuid,
  cancelled_at     timestamptz,
  cancel_reason    text,
  created_by       uuid not null,
  created          timestamptz not null,
  updated          timestamptz not null,
  check ((cancelled_by is null) = (cancelled_at is null) and (cancelled_by is null) = (cancel_reason is null))
);
create index hearings_case on cases.hearings (case_id, starts_at, hearing_id);

-- Who is to be told of which revision of a hearing, and how; the queue hearing_news has what is not told yet.
create table cases.hearing_news (
  news_id    bigint generated always as identity primary key,
  hearing_id uuid not null references cases.hearings,
  revision   bigint not null,
  user_id    uuid not null,
  channel    text not null check (channel in ('email', 'push')),
  unique (hearing_id, user_id, channel, revision)
);

-- Of what users want to be told, for areas that tell them themselves. Who never said is told of all.
create schema if not exists alerts_api;
create view alerts_api.preferences as select user_id, hearings, invitations from alerts.preferences;

alter table emails.emails
  add column calendar_method text check (calendar_method in ('REQUEST', 'CANCEL')),
  add column calendar        text,
  add constraint emails_calendar check ((calendar is null) = (calendar_method is null));
