-- Calendars that programs read without signing in, each at a secret address. Of the secret its SHA-256 is kept; it has 256 random bits.
create table cases.calendar_feeds (
  feed_id     uuid primary key,
  user_id     uuid not null,
  name        text check (length(name) between 1 and 100),
  secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
  created     timestamptz not null
);
create index calendar_feeds_user on cases.calendar_feeds (user_id, created, feed_id);
