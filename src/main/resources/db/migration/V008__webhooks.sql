-- Callback URLs of organizations, what each organization was to be told of, and the deliveries of it.
create schema webhooks;

-- How far each organization's feed has come; the row is also the lock under which its URLs are counted.
create table webhooks.organizations (
  organization_id uuid primary key,
  last_position   bigint not null default 0
);

create table webhooks.urls (
  url_id          bigint generated always as identity primary key,
  organization_id uuid not null references webhooks.organizations,
  url             text not null check (length(url) between 1 and 2000),
  events          text[] not null check (cardinality(events) > 0),
  created         timestamptz not null,
  created_by      uuid not null,
  -- Encrypted. Those that were rotated away sign beside it, each until its time is over; newest first.
  secret           bytea not null,
  previous_secrets bytea[] not null default '{}',
  previous_until   timestamptz[] not null default '{}',
  disabled_at     timestamptz,
  disabled_reason text,
  deleted_at      timestamptz,
  -- The first failure since the last success.
  failing_since   timestamptz,
  check ((disabled_at is null) = (disabled_reason is null)),
  check (cardinality(previous_secrets) = cardinality(previous_until))
);
-- A URL that was deleted stays for the deliveries that were made to it, and may be registered again.
create unique index urls_registered on webhooks.urls (organization_id, url) where deleted_at is null;

-- The events of an organization in the order in which it is told of them, numbered without a gap.
create table webhooks.feed (
  organization_id uuid not null,
  position        bigint not null,
  sequence        bigint not null,
  event           text not null,
  occurred_at     timestamptz not null,
  primary key (organization_id, position)
);
create index feed_event on webhooks.feed (organization_id, event, position);

-- One row per event and URL, kept as history. While it is pending it is also in the queue.
create table webhooks.deliveries (
  delivery_id     bigint generated always as identity primary key,
  url_id          bigint not null references webhooks.urls,
  organization_id uuid not null,
  -- Null for a test, which is no event of any case.
  sequence        bigint,
  event_id        uuid not null,
  event           text not null,
  state           text not null check (state in ('pending', 'delivered', 'failed', 'cancelled')),
  created         timestamptz not null
) with (fillfactor = 85);
-- None of these indexes names the state, so that its change touches the row alone (a HOT update).
create unique index deliveries_event on webhooks.deliveries (url_id, sequence) where sequence is not null;
create index deliveries_url on webhooks.deliveries (url_id, delivery_id);
create index deliveries_organization on webhooks.deliveries (organization_id, delivery_id);

create table webhooks.attempts (
  delivery_id     bigint not null,
  attempt_id      bigint generated always as identity,
  at              timestamptz not null,
  status          int,
  error           text,
  duration_millis int not null,
  response        text,
  primary key (delivery_id, attempt_id)
);

-- What is still to be delivered, and nothing else: its size, not that of the history, decides what a claim costs.
-- ready: may be claimed now. Else it waits for its time in "due": that of the next attempt, or, while claimed, the end
-- of the lease. It has no foreign keys, because every row is written and removed in one statement with its delivery.
create table webhooks.queue (
  delivery_id bigint primary key,
  url_id      bigint not null,
  sequence    bigint not null,
  replay      boolean not null,
  attempts    int not null default 0,
  ready       boolean not null,
  due         timestamptz not null,
  claim       uuid,
  check (not (ready and claim is not null))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);
create index queue_ready on webhooks.queue (url_id, replay, delivery_id) where ready;
create index queue_claimed on webhooks.queue (url_id) where claim is not null;
create index queue_due on webhooks.queue (due) where not ready;

-- What an organization has to be told by email.
create table webhooks.notices (
  notice_id       bigint generated always as identity primary key,
  organization_id uuid not null,
  url             text not null,
  reason          text not null,
  at              timestamptz not null,
  told_at         timestamptz
);
create index notices_pending on webhooks.notices (notice_id) where told_at is null;
