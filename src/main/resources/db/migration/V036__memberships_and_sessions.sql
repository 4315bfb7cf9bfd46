-- A user may belong to any number of organizations, and a session acts for one of them or for none. Members come by
-- invitation. Users, clients and signing keys can be put out of use.

lock table identity.members, identity.sessions in share row exclusive mode;

create table identity.memberships (
  user_id          uuid not null references identity.users,
  organization_id  uuid not null references identity.organizations,
  is_administrator boolean not null,
  since            timestamptz not null default now(),
  primary key (user_id, organization_id)
);
create index memberships_organization on identity.memberships (organization_id, since, user_id);

insert into identity.memberships (user_id, organization_id, is_administrator, since)
  select m.user_id, m.organization_id, m.is_administrator, greatest(u.created, o.created)
  from identity.members m join identity.users u using (user_id) join identity.organizations o using (organization_id);

-- Nodes of the version before go on with identity.members, where a user has one organization at most: what they write
-- is carried over, and they see the first membership of each user. Their role may have no rights to the new tables yet, so the owner carries.
create function identity.carry_member() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    delete from identity.memberships where user_id = old.user_id and organization_id = old.organization_id;
  else
    insert into identity.memberships (user_id, organization_id, is_administrator)
      values (new.user_id, new.organization_id, new.is_administrator) on conflict do nothing;
  end if;
  return null;
end $$;
create trigger carry_member after insert or delete on identity.members
  for each row execute function identity.carry_member();

create function identity.carry_membership() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    delete from identity.members where user_id = old.user_id and organization_id = old.organization_id;
  elsif tg_op = 'UPDATE' then
    update identity.members set is_administrator = new.is_administrator
      where user_id = new.user_id and organization_id = new.organization_id;
  else
    insert into identity.members (user_id, organization_id, is_administrator)
      values (new.user_id, new.organization_id, new.is_administrator) on conflict do nothing;
  end if;
  return null;
end $$;
create trigger carry_membership after insert or update or delete on identity.memberships
  for each row execute function identity.carry_membership();

alter table identity.users
  add column acted_for       uuid,
  add column disabled_at     timestamptz,
  add column disabled_by     uuid,
  add column disabled_reason text check (length(disabled_reason) <= 2000);
-- Emails are compared as the configuration's are: only A to Z are folded.
create index users_email on identity.users (lower(email collate "C"));

-- What a session of a user starts with: the organization that the user last acted for, else the only one, else none.
create function identity.usual_organization(whose uuid, last uuid) returns uuid language sql stable
  security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(
    (select m.organization_id from identity.memberships m where m.user_id = whose and m.organization_id = last),
    (select (array_agg(m.organization_id))[1] from identity.memberships m where m.user_id = whose having count(*) = 1))
$$;

-- A session that a node of the version before opened has no provider here.
alter table identity.sessions
  add column organization_id  uuid,
  add column provider         text,
  add column provider_session text check (length(provider_session) <= 255),
  add column address          text,
  add column created          timestamptz not null default now(),
  add column last_used        timestamptz not null default now(),
  add column authenticated_at timestamptz,
  add column cookie_hash      bytea unique check (length(cookie_hash) = 32);
update identity.sessions s
  set created = s.advanced_at, last_used = s.advanced_at, authenticated_at = s.advanced_at,
      organization_id = (select m.organization_id from identity.members m where m.user_id = s.user_id);
create index sessions_ended_at on identity.sessions (ended_at) where ended_at is not null;
create index sessions_of_user on identity.sessions (user_id, created, session_id) where ended_at is null;

create function identity.session_of_the_version_before() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp as $$
begin
  new.organization_id := identity.usual_organization(new.user_id, (select acted_for from identity.users where user_id = new.user_id));
  return new;
end $$;
create trigger session_of_the_version_before before insert on identity.sessions
  for each row when (new.provider is null) execute function identity.session_of_the_version_before();

alter table identity.permissions add column since timestamptz not null default now();
create index permissions_permission on identity.permissions (permission, since, user_id);

-- granted: since when the client has a permission, by its name; one that is missing there, since the client was made.
alter table identity.clients
  add column organization_id       uuid references identity.organizations,
  add column grants_revision       bigint not null default 0,
  add column granted               jsonb not null default '{}',
  add column last_used             timestamptz,
  add column disabled_at           timestamptz,
  add column previous_secret_hash  bytea check (length(previous_secret_hash) = 32),
  add column previous_secret_until timestamptz;
create index clients_organization on identity.clients (organization_id, created, client_id);
create index clients_created on identity.clients (created, client_id);

-- A withdrawn key verifies nothing any more and is published no more. Its private part is forgotten.
alter table platform.signing_keys
  add column withdrawn_at     timestamptz,
  add column withdrawn_by     uuid,
  add column withdrawn_reason text check (length(withdrawn_reason) <= 2000);

-- organization_id: what the user acts for where nothing else is said.
create or replace view identity_api.users as
  select u.user_id, u.email, u.first_name, u.last_name,
         identity.usual_organization(u.user_id, u.acted_for) as organization_id, u.public_profile,
         u.disabled_at is not null as disabled
  from identity.users u;

create or replace view identity_api.members as
  select organization_id, user_id, is_administrator from identity.memberships;

create view identity_api.memberships as
  select user_id, organization_id, is_administrator, since from identity.memberships;

-- What the caller of a session acts for now: a member who has left acts for nothing. A client of an organization acts for
-- it with the rights of an administrator.
create view identity_api.sessions as
  select s.session_id, s.user_id as caller_id, m.organization_id, coalesce(m.is_administrator, false) as is_administrator
  from identity.sessions s
  left join identity.memberships m on m.user_id = s.user_id and m.organization_id = s.organization_id
  where s.ended_at is null
  union all
  select c.session_id, c.client_id, c.organization_id, c.organization_id is not null
  from identity.clients c where c.disabled_at is null;
