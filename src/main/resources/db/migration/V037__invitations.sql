-- Nobody becomes a member of an organization without accepting.

create table identity.invitations (
  invitation_id    uuid primary key,
  organization_id  uuid not null references identity.organizations,
  user_id          uuid references identity.users,
  email            text check (length(email) between 3 and 254),
  is_administrator boolean not null,
  invited_by       uuid not null references identity.users,
  created          timestamptz not null,
  expires_at       timestamptz not null,
  outcome          text check (outcome in ('accepted', 'declined', 'revoked')),
  answered_at      timestamptz,
  -- When its email is to be sent; null once the email is accepted, or given up.
  email_due        timestamptz,
  email_number     integer not null default 1,
  check ((user_id is null) <> (email is null)),
  check ((outcome is null) = (answered_at is null))
);
-- One for each person: the same again renews it.
create unique index invitations_user on identity.invitations (organization_id, user_id) where outcome is null and user_id is not null;
create unique index invitations_email on identity.invitations (organization_id, lower(email collate "C"))
  where outcome is null and email is not null;
create index invitations_of_user on identity.invitations (user_id) where outcome is null and user_id is not null;
create index invitations_of_email on identity.invitations (lower(email collate "C")) where outcome is null and email is not null;
create index invitations_of_organization on identity.invitations (organization_id, created, invitation_id);
create index invitations_email_due on identity.invitations (email_due) where email_due is not null;
create index invitations_expires_at on identity.invitations (expires_at);

-- How many invitations a user sent on a day (UTC), renewals among them.
create table identity.invitation_days (
  user_id uuid not null references identity.users,
  day     date not null,
  sent    integer not null,
  primary key (user_id, day)
);
create index invitation_days_day on identity.invitation_days (day);
