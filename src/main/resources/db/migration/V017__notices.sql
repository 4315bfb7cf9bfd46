-- Service of notice: what was served, on whom, and the proof of it.

-- One row a case: the lock under which its notices are numbered and counted.
create table mainapi.notice_heads (
  case_id    uuid primary key,
  notices    int not null,
  recipients int not null
);

create table mainapi.notices (
  notice_id       uuid primary key,
  case_id         uuid not null references mainapi.notice_heads,
  number          int not null check (number >= 1),
  entry_id        bigint not null references mainapi.entries,
  mail_type       text not null,
  sender_id       uuid not null,
  party_id        text not null,
  organization_id uuid,
  -- What the sender gave beside the images, as JSON.
  input           text not null,
  -- What the email says, as JSON: all that the mail service needs to render it, so that asking again asks for the same.
  mail            text not null,
  created         timestamptz not null,
  unique (case_id, number)
);
create trigger notices_append_only before update or delete or truncate on mainapi.notices
  for each statement execute function platform.refuse_change();

create table mainapi.notice_files (
  notice_id    uuid not null references mainapi.notices,
  place        int not null,
  -- image: as the sender gave it. preview: the same made small for the email. letter: what is served. entry: the document.
  kind         text not null check (kind in ('image', 'preview', 'letter', 'entry')),
  -- Of an image and its preview.
  field_id     text,
  file_name    text not null,
  content_type text not null,
  pixel_width  int,
  pixel_height int,
  bytes        bigint not null check (bytes > 0),
  sha256       text not null,
  block_hashes bytea not null,
  address      text not null unique,
  primary key (notice_id, place),
  check ((field_id is not null) = (kind in ('image', 'preview')))
);
create trigger notice_files_append_only before update or delete or truncate on mainapi.notice_files
  for each statement execute function platform.refuse_change();

create table mainapi.notice_recipients (
  recipient_id    bigint generated always as identity primary key,
  notice_id       uuid not null references mainapi.notices,
  place           int not null,
  email           text not null,
  -- Null for one who was named by an address.
  user_id         uuid,
  idempotency_key text not null unique check (length(idempotency_key) between 1 and 200),
  unique (notice_id, place)
);
create trigger notice_recipients_append_only before update or delete or truncate on mainapi.notice_recipients
  for each statement execute function platform.refuse_change();

-- The emails that the mail service has not taken yet. due: time of the next attempt, or, while claimed, the end of the lease.
create table mainapi.notice_outbox (
  recipient_id bigint primary key references mainapi.notice_recipients,
  attempts     int not null default 0,
  due          timestamptz not null,
  claim        uuid
);
create index notice_outbox_due on mainapi.notice_outbox (due);

-- What the mail service refused to take, for good.
create table mainapi.notice_refusals (
  recipient_id bigint primary key references mainapi.notice_recipients,
  at           timestamptz not null,
  reason       text not null
);
create trigger notice_refusals_append_only before update or delete or truncate on mainapi.notice_refusals
  for each statement execute function platform.refuse_change();

-- Which notice a request made, by its Idempotency-Key: committed with the notice, so that no crash makes two of one.
create table mainapi.notice_requests (
  sender_id   uuid not null,
  request_key text not null,
  notice_id   uuid not null,
  created     timestamptz not null,
  primary key (sender_id, request_key)
);

-- Proofs of service that were made, each for all that it says.
create table mainapi.notice_proofs (
  notice_id    uuid not null references mainapi.notices,
  -- SHA-256 of all that the proof tells.
  told         text not null,
  bytes        bigint not null check (bytes > 0),
  sha256       text not null,
  block_hashes bytea not null,
  address      text not null unique,
  created      timestamptz not null,
  primary key (notice_id, told)
);
create trigger notice_proofs_append_only before update or delete or truncate on mainapi.notice_proofs
  for each statement execute function platform.refuse_change();

-- Files that go with an email; kept by whoever asked for it. Those with a content id are shown within the HTML (RFC 2392).
create table emails.attachments (
  email_id     uuid not null references emails.emails,
  place        int not null,
  content_id   text,
  file_name    text not null,
  content_type text not null,
  bytes        bigint not null check (bytes > 0),
  sha256       text not null,
  block_hashes bytea not null,
  address      text not null,
  primary key (email_id, place)
);
create trigger attachments_append_only before update or delete or truncate on emails.attachments
  for each statement execute function platform.refuse_change();

-- What others rely on: how far the emails have come that serve notices, and what these emails say.
create schema emails_api;
create view emails_api.notice_emails as
  select email_id, idempotency_key, from_mailbox, subject, html, text, accepted_at
  from emails.emails where idempotency_key like 'notice-%';
create view emails_api.notice_deliveries as
  select d.delivery_id, e.email_id, e.idempotency_key, d.recipient, d.state, d.ended_at, e.accepted_at
  from emails.emails e join emails.deliveries d on d.email_id = e.email_id
  where e.idempotency_key like 'notice-%';
create view emails_api.notice_attempts as
  select a.delivery_id, a.attempt_id, e.idempotency_key, a.at, a.code, a.error, a.duration_millis
  from emails.emails e join emails.deliveries d on d.email_id = e.email_id join emails.attempts a on a.delivery_id = d.delivery_id
  where e.idempotency_key like 'notice-%';
