-- What every area stands on. The schema "platform" itself is made by the migration tool.

-- A retired key has no private part any more; its public part stays published for what it signed to be kept (receipts).
create table platform.signing_keys (
  key_id     text primary key,
  encrypted  bytea,
  public_key text not null,
  created    timestamptz not null
);

-- A session that ended (no permission), or a permission or membership that a user lost, while access tokens live on.
-- The latter counts for access tokens made at a lower revision of the user's grants.
create table platform.revocations (
  subject_id uuid not null,
  permission text,
  revision   bigint,
  at         timestamptz not null,
  check ((permission is null) = (revision is null))
);
create index revocations_at on platform.revocations (at);

create table platform.idempotency (
  caller_id  uuid not null,
  operation  text not null,
  key        text not null,
  body_hash  bytea not null,
  claimed_at timestamptz not null,
  answer     bytea,
  primary key (caller_id, operation, key)
);
create index idempotency_claimed_at on platform.idempotency (claimed_at);

-- The event log: appended in the transaction that made the event, read in order by consumers with a cursor.
-- A reader stops before the oldest transaction still open (pg_snapshot_xmin), so it never skips a late commit.
create table platform.events (
  sequence    bigint generated always as identity primary key,
  event_id    uuid not null unique,
  event       text not null,
  case_id     uuid not null,
  actor_id    uuid,
  occurred_at timestamptz not null,
  envelope    text not null,
  transaction xid8 not null default pg_current_xact_id()
);
create index events_case on platform.events (case_id, sequence);

-- Who did what: append-only, also for the platform's own role.
create table platform.audit (
  audit_id   bigint generated always as identity primary key,
  case_id    uuid not null,
  at         timestamptz not null,
  user_id    uuid not null,
  action     text not null,
  subject    text,
  request_id text,
  address    text
);
create index audit_case on platform.audit (case_id, audit_id);

create function platform.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger audit_append_only before update or delete or truncate on platform.audit
  for each statement execute function platform.refuse_change();
create trigger events_append_only before update or delete or truncate on platform.events
  for each statement execute function platform.refuse_change();
