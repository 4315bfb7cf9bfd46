-- The idempotency key of an email belongs to its sender: two senders may use the same one. The column idempotency_key stays unique for the
-- nodes of the release before, so an email that was sent over HTTP has there its sender and the SHA-256 of its key; sender_key is the key
-- as the sender gave it. Both are as before for what the platform sends by itself, which has no sender.
alter table emails.emails add column sender_key text;

-- A node of the release before does not know that form: what a sender has sent by a node of this one, it must not send again. Goes with
-- the unique column, a release later.
create function emails.keep_to_keys_of_senders() returns trigger language plpgsql as $$
begin
  if new.sender_id is not null and new.sender_key is null and exists (
      select from emails.emails
      where idempotency_key = new.sender_id || '/' || encode(sha256(convert_to(new.idempotency_key, 'UTF8')), 'hex')) then
    return null;
  end if;
  return new;
end $$;
create trigger emails_keys_of_senders before insert on emails.emails for each row execute function emails.keep_to_keys_of_senders();

-- What is sent for a recipient comes back to an address that holds this token, so that a bounce names its delivery. Null for what was
-- accepted by a node of the release before.
alter table emails.deliveries add column return_token uuid;
create index deliveries_return_token on emails.deliveries (return_token) where return_token is not null;

-- Emails that a mail server took and that came back: the first report of each.
create table emails.bounces (
  delivery_id bigint primary key references emails.deliveries,
  at          timestamptz not null,
  -- Enhanced status code (RFC 3463); null where the report has none.
  status      text,
  reason      text not null
);
create trigger bounces_append_only before update or delete or truncate on emails.bounces
  for each statement execute function platform.refuse_change();

-- The emails of notices are those that the platform sent of their template; a key is a sender's own text and says nothing.
create or replace view emails_api.notice_emails as
  select email_id, idempotency_key, from_mailbox, subject, html, text, accepted_at
  from emails.emails where sender_id is null and template = 'service-of-notice';
create or replace view emails_api.notice_deliveries as
  select d.delivery_id, e.email_id, e.idempotency_key, d.recipient, d.state, d.ended_at, e.accepted_at
  from emails.emails e join emails.deliveries d on d.email_id = e.email_id
  where e.sender_id is null and e.template = 'service-of-notice';
create or replace view emails_api.notice_attempts as
  select a.delivery_id, a.attempt_id, e.idempotency_key, a.at, a.code, a.error, a.duration_millis
  from emails.emails e join emails.deliveries d on d.email_id = e.email_id join emails.attempts a on a.delivery_id = d.delivery_id
  where e.sender_id is null and e.template = 'service-of-notice';
create view emails_api.notice_bounces as
  select b.delivery_id, b.at, b.status, b.reason
  from emails.emails e join emails.deliveries d on d.email_id = e.email_id join emails.bounces b on b.delivery_id = d.delivery_id
  where e.sender_id is null and e.template = 'service-of-notice';
