-- Users, sessions, organizations, permissions and machine clients.

create schema identity;
create schema identity_api;

-- A user is one subject of one identity provider. The same verified email at a second provider is a second user: whoever
-- can get an email verified anywhere (a lapsed domain, a provider that checks badly) must not walk into an account that
-- somebody opened elsewhere. Emails are therefore not unique.
create table identity.users (
  user_id         uuid primary key,
  provider        text not null,
  subject         text not null check (length(subject) between 1 and 255),
  email           text not null check (length(email) between 3 and 254),
  first_name      text not null check (length(first_name) <= 100),
  last_name       text not null check (length(last_name) <= 100),
  public_profile  boolean not null default true,
  -- Goes up whenever a permission or the organization is taken from the user; access tokens carry the value they were
  -- made at, so a token made before is told from one made after without comparing clocks.
  grants_revision bigint not null default 0,
  created         timestamptz not null,
  signed_in       timestamptz not null,
  unique (provider, subject)
);

create table identity.organizations (
  organization_id uuid primary key,
  name            text not null check (length(name) between 1 and 100),
  created         timestamptz not null
);

-- The primary key is what keeps a user in one organization at most.
create table identity.members (
  user_id          uuid primary key references identity.users,
  organization_id  uuid not null references identity.organizations,
  is_administrator boolean not null
);
create index members_organization on identity.members (organization_id);

create table identity.permissions (
  user_id    uuid not null references identity.users,
  permission text not null,
  primary key (user_id, permission)
);

-- A session is the family of its refresh tokens. One generation of them is current; using a current one makes the next
-- generation current. Tokens of generations gone by are kept until the session goes, to recognise their second use.
create table identity.sessions (
  session_id  uuid primary key,
  user_id     uuid not null references identity.users,
  generation  integer not null default 1,
  advanced_at timestamptz not null,
  expires_at  timestamptz not null,
  ended_at    timestamptz
);
create index sessions_user on identity.sessions (user_id) where ended_at is null;
create index sessions_expires_at on identity.sessions (expires_at);

create table identity.refresh_tokens (
  token_hash bytea primary key check (length(token_hash) = 32),
  session_id uuid not null references identity.sessions on delete cascade,
  generation integer not null
);
create index refresh_tokens_session on identity.refresh_tokens (session_id);

-- A client has one session at a time: ending it ends every access token of the client.
create table identity.clients (
  client_id   uuid primary key,
  name        text not null check (length(name) between 1 and 100),
  secret_hash bytea not null check (length(secret_hash) = 32),
  permissions text[] not null,
  session_id  uuid not null unique,
  created     timestamptz not null,
  created_by  uuid not null
);

-- The key of the demo provider, one for all nodes; no row outside the demo profile.
create table identity.demo_key (
  only_one  boolean primary key default true check (only_one),
  encrypted bytea not null
);

create view identity_api.users as
  select u.user_id, u.email, u.first_name, u.last_name, m.organization_id, u.public_profile
  from identity.users u left join identity.members m using (user_id);

create view identity_api.public_users as
  select user_id, first_name, last_name from identity.users where public_profile;

create view identity_api.public_organizations as
  select organization_id, name from identity.organizations;

create view identity_api.members as
  select organization_id, user_id, is_administrator from identity.members;
