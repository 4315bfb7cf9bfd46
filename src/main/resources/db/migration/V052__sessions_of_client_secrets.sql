-- Each secret of a machine client has a session of its own, so that the tokens which an old secret got end with it. Nodes of the release
-- before leave the new column empty: then the old secret gets tokens of the client's session, as before.
alter table identity.clients add column previous_session_id uuid;
create index clients_previous_session on identity.clients (previous_session_id) where previous_session_id is not null;

create or replace view identity_api.sessions as
  select s.session_id, s.user_id as caller_id, m.organization_id, coalesce(m.is_administrator, false) as is_administrator
  from identity.sessions s
  left join identity.memberships m on m.user_id = s.user_id and m.organization_id = s.organization_id
  where s.ended_at is null
  union all
  select c.session_id, c.client_id, c.organization_id, c.organization_id is not null
  from identity.clients c where c.disabled_at is null
  union all
  select c.previous_session_id, c.client_id, c.organization_id, c.organization_id is not null
  from identity.clients c where c.disabled_at is null and c.previous_session_id is not null and c.previous_secret_until > now();

-- A session that ends at a time to come, which is in "at"; else it has ended, whatever the clocks of the nodes say of that time. Nodes of
-- the release before end it at once: their callers ask for a new token.
alter table platform.revocations add column is_planned boolean not null default false;
