-- Emails: what was accepted to be sent, kept for ever, and how far each recipient's copy has come.
create schema emails;

-- The message that is sent is made of this row alone, so it is the same at every attempt.
create table emails.emails (
  email_id        uuid primary key,
  idempotency_key text not null unique check (length(idempotency_key) between 1 and 200),
  -- Who asked for it over HTTP; null when an area of the platform did.
  sender_id       uuid,
  from_mailbox    text not null,
  to_mailboxes    text[] not null check (cardinality(to_mailboxes) > 0),
  subject         text not null,
  html            text not null,
  -- Null where the caller gave the HTML alone.
  text            text,
  template        text,
  accepted_at     timestamptz not null
);
create trigger emails_append_only before update or delete or truncate on emails.emails
  for each statement execute function platform.refuse_change();

-- One row per recipient: one that is refused, or asked to come back later, holds up none of the others.
create table emails.deliveries (
  delivery_id bigint generated always as identity primary key,
  email_id    uuid not null references emails.emails,
  recipient   text not null,
  -- held: no mail server is configured. bounced: the mail server refused it for good. failed: it was never taken in time.
  state       text not null check (state in ('pending', 'held', 'sent', 'bounced', 'failed')),
  ended_at    timestamptz,
  unique (email_id, recipient),
  check ((ended_at is null) = (state = 'pending'))
);
create index deliveries_held on emails.deliveries (delivery_id desc) where state = 'held';

create table emails.attempts (
  delivery_id     bigint not null references emails.deliveries,
  attempt_id      bigint generated always as identity,
  at              timestamptz not null,
  -- Of the mail server's answer; null when there was none. 250 for a mail that was taken.
  code            int,
  error           text,
  duration_millis int not null,
  primary key (delivery_id, attempt_id)
);

-- What is still to be sent. due: time of the next attempt, or, while claimed, the end of the lease.
create table emails.queue (
  delivery_id bigint primary key,
  attempts    int not null default 0,
  due         timestamptz not null,
  claim       uuid
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);
create index queue_due on emails.queue (due);
