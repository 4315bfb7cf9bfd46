-- Browsers that take notifications, the keys that sign for them, and what is to be told to users.
create schema push;

-- The private part is encrypted for its public part. The newest key is for new subscriptions; the others stay for theirs.
create table push.vapid_keys (
  key_id     bigint generated always as identity primary key,
  public_key bytea not null unique check (length(public_key) = 65),
  encrypted  bytea not null,
  created    timestamptz not null
);

create table push.subscriptions (
  subscription_id uuid primary key,
  -- Null for a browser that subscribed without a token.
  user_id         uuid,
  key_id          bigint not null references push.vapid_keys,
  endpoint        text not null check (length(endpoint) between 1 and 2000),
  -- Origin of the endpoint.
  service         text not null,
  p256dh          bytea not null check (length(p256dh) = 65),
  auth            bytea not null check (length(auth) = 16),
  created         timestamptz not null,
  expires         timestamptz
);
-- An endpoint is one browser: it belongs to whoever of its users subscribed last, beside an anonymous subscription.
create unique index subscriptions_endpoint on push.subscriptions (endpoint) where user_id is not null;
create unique index subscriptions_anonymous_endpoint on push.subscriptions (endpoint) where user_id is null;
create index subscriptions_user on push.subscriptions (user_id, created) where user_id is not null;
create index subscriptions_key on push.subscriptions (key_id);

-- What a user is to be told, once.
create table push.messages (
  message_id      bigint generated always as identity primary key,
  idempotency_key text not null check (length(idempotency_key) between 1 and 200),
  user_id         uuid not null,
  payload         bytea not null,
  created         timestamptz not null,
  expires         timestamptz not null,
  unique (idempotency_key, user_id)
);
create index messages_created on push.messages (created);

-- One row per message and subscription. ready: may be claimed now. Else, while pending, it waits for its time in "due":
-- that of the next attempt, or, while claimed, the end of the lease.
create table push.deliveries (
  delivery_id     bigint generated always as identity primary key,
  message_id      bigint not null references push.messages on delete cascade,
  -- No foreign key: the row stays when the subscription goes.
  subscription_id uuid not null,
  service         text not null,
  state           text not null default 'pending' check (state in ('pending', 'sent', 'gone', 'expired', 'failed')),
  attempts        int not null default 0,
  ready           boolean not null,
  due             timestamptz not null,
  claim           uuid,
  -- How the last attempt went.
  status          int,
  error           text,
  unique (message_id, subscription_id),
  check (not (ready and claim is not null)),
  check (state = 'pending' or not ready and claim is null)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index deliveries_ready on push.deliveries (service, delivery_id) where ready;
create index deliveries_claimed on push.deliveries (service) where claim is not null;
create index deliveries_due on push.deliveries (due) where state = 'pending' and not ready;
