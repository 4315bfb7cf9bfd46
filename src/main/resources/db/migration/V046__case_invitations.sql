-- People are invited to take part in a case by email, also before they ever signed in. What a user invites on a day is counted once, for
-- organizations and cases together. The case manager can take the right to file from a participant.

create table cases.invitations (
  invitation_id uuid primary key,
  case_id       uuid not null references cases.cases,
  email         text not null check (length(email) between 3 and 254),
  party_id      text not null,
  is_primary    boolean not null,
  is_observer   boolean not null,
  invited_by    uuid not null,
  created       timestamptz not null,
  expires_at    timestamptz not null,
  outcome       text check (outcome in ('accepted', 'declined', 'revoked')),
  answered_at   timestamptz,
  check (not (is_primary and is_observer)),
  check ((outcome is null) = (answered_at is null))
);
-- One for each person and side: the same again renews it. Emails are compared as those of users are: only A to Z are folded.
create unique index invitations_same on cases.invitations (case_id, lower(email collate "C"), party_id) where outcome is null;
create index invitations_of_email on cases.invitations (lower(email collate "C")) where outcome is null;
create index invitations_of_case on cases.invitations (case_id, created, invitation_id) where outcome is null;
create index invitations_expires_at on cases.invitations (expires_at);

-- An email for each time that an invitation was sent or renewed; the queue case_invitations has those that are to be sent.
create table cases.invitation_emails (
  email_id      bigint generated always as identity primary key,
  invitation_id uuid not null references cases.invitations on delete cascade
);
create index invitation_emails_invitation on cases.invitation_emails (invitation_id, email_id);

alter table cases.participants add column may_file boolean not null default true;

create or replace view cases_api.participants as
  select case_id, user_id, organization_id, party_id, is_primary, is_observer, added, may_file from cases.participants;

-- What users were granted; the super administrators that the configuration names are not in it.
create view identity_api.permissions as
  select user_id, permission from identity.permissions;

-- Counts an invitation of a user on a day (UTC); false when the user has sent so many already.
create function identity_api.count_invitation(whose uuid, today date, most int) returns boolean language sql as $$
  with counted as (
    insert into identity.invitation_days as d (user_id, day, sent) values (whose, today, 1)
    on conflict (user_id, day) do update set sent = d.sent + 1 where d.sent < most
    returning sent)
  select exists (select from counted)
$$;

-- Who filed what became the entry: an alert of it names the filer, whoever approved it.
create or replace view mainapi_api.docket_entries as
  select e.entry_id, e.case_id, e.number, case when s.entry_id is null then e.title else 'Sealed document' end as title, e.entered_at,
         e.title as sealed_title, s.seen_by, e.user_id
  from mainapi.entries e left join mainapi.seals s on s.entry_id = e.entry_id;
