-- The telling of notices by email: claimed for a while, asked for again until the email is accepted.
alter table webhooks.notices
  add column attempts int not null default 0,
  -- Time of the next attempt, or, while claimed, the end of the lease; null when it is over.
  add column due      timestamptz default now(),
  add column claim    uuid,
  -- Why the last attempt came to nothing.
  add column trouble  text;
update webhooks.notices set due = null where told_at is not null;
drop index webhooks.notices_pending;
create index notices_due on webhooks.notices (due) where due is not null;
