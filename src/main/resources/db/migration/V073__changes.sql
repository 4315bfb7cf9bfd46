-- Tells nodes what kind of thing changed, of which case or organization, and to whom that may be told. Never what it contains. PostgreSQL
-- sends it at the commit, and equal ones of a transaction once. Nodes of the release before do not listen to this channel.
--   audience        told to                                              id            detail
--   case            the participants                                     case          -
--   parties         the participants of these parties                    case          party IDs, separated by commas
--   evidence        those who see the evidence of this party             case          party ID
--   entry           those from whom this entry is not withheld           case          entry ID
--   inviters        those who may add participants to this party         case          party ID
--   notice          the participants of the case of the served email     -             idempotency key of the email
--   organization    the members, and programs that act for it            organization  -
--   members         the members                                          organization  -
--   administrators  the administrators                                   organization  -
--   user            this user alone                                      -             user ID
create function platform.notify_change(kind text, audience text, id uuid, detail text default '') returns void language sql as $$
  select pg_notify('platform_changes', kind || ' ' || audience || ' ' || coalesce(id::text, '-') || ' ' || detail)
$$;

-- Filings are written in batches, so these run once for each statement. Whoever approves a filing sees it from its submission on. What is on
-- the docket may be sealed: there the event tells everybody else.
create function mainapi.notify_filings() returns trigger language plpgsql as $$
begin
  perform platform.notify_change('filing', 'parties', c.case_id, c.parties) from (
    select distinct case_id, case when state = 'docketed' or submitted_at is null then party_id else concat_ws(',', party_id, approver_party) end as parties
    from changed) c;
  return null;
end $$;
create trigger filings_notify_insert after insert on mainapi.filings referencing new table as changed
  for each statement execute function mainapi.notify_filings();
create trigger filings_notify_update after update on mainapi.filings referencing new table as changed
  for each statement execute function mainapi.notify_filings();

create function mainapi.notify_uploads() returns trigger language plpgsql as $$
begin
  perform platform.notify_change('evidence', 'evidence', c.case_id, c.party_id) from (select distinct case_id, party_id from changed) c;
  return null;
end $$;
create trigger uploads_notify after insert on mainapi.uploads referencing new table as changed
  for each statement execute function mainapi.notify_uploads();

create function mainapi.notify_redaction() returns trigger language plpgsql as $$
begin
  perform platform.notify_change('entry', 'entry', e.case_id, e.entry_id::text) from mainapi.entries e where e.entry_id = new.entry_id;
  return null;
end $$;
create trigger redactions_notify after insert on mainapi.redactions for each row execute function mainapi.notify_redaction();

create function mainapi.notify_notice() returns trigger language plpgsql as $$
begin
  perform platform.notify_change('notice', 'case', new.case_id);
  return null;
end $$;
create trigger notices_notify after insert on mainapi.notices for each row execute function mainapi.notify_notice();

create function mainapi.notify_notice_refusal() returns trigger language plpgsql as $$
begin
  perform platform.notify_change('notice', 'case', n.case_id)
    from mainapi.notice_recipients r join mainapi.notices n on n.notice_id = r.notice_id where r.recipient_id = new.recipient_id;
  return null;
end $$;
create trigger notice_refusals_notify after insert on mainapi.notice_refusals for each row execute function mainapi.notify_notice_refusal();

-- The emails that serve notices: an attempt, also the last one, a return, and one that is held.
create function emails.notify_results() returns trigger language plpgsql as $$
begin
  perform platform.notify_change('notice', 'notice', null, c.idempotency_key) from (
    select distinct e.idempotency_key from changed join emails.deliveries d on d.delivery_id = changed.delivery_id join emails.emails e on e.email_id = d.email_id
    where e.sender_id is null and e.template = 'service-of-notice') c;
  return null;
end $$;
create trigger attempts_notify after insert on emails.attempts referencing new table as changed
  for each statement execute function emails.notify_results();
create trigger bounces_notify after insert on emails.bounces referencing new table as changed
  for each statement execute function emails.notify_results();
create trigger deliveries_notify after insert on emails.deliveries referencing new table as changed
  for each statement execute function emails.notify_results();

create function cases.notify_of_case() returns trigger language plpgsql as $$
begin
  perform platform.notify_change(tg_argv[0], 'case', new.case_id);
  return null;
end $$;
create trigger cases_notify_clock after update on cases.cases
  for each row when (old.sandbox_now is distinct from new.sandbox_now) execute function cases.notify_of_case('case');
create trigger participants_notify_restriction after update on cases.participants
  for each row when (old.may_file is distinct from new.may_file) execute function cases.notify_of_case('participant');
create trigger extensions_notify after insert or update on cases.extensions for each row execute function cases.notify_of_case('extension');
create trigger hearings_notify_insert after insert on cases.hearings for each row execute function cases.notify_of_case('hearing');
create trigger hearings_notify_update after update on cases.hearings
  for each row when (old.revision <> new.revision) execute function cases.notify_of_case('hearing');

-- Whoever was removed is no participant any more.
create function cases.notify_removed() returns trigger language plpgsql as $$
begin
  perform platform.notify_change('participant', 'user', null, old.user_id::text);
  return null;
end $$;
create trigger participants_notify_removed after delete on cases.participants for each row execute function cases.notify_removed();

create function cases.notify_deadlines() returns trigger language plpgsql as $$
begin
  perform platform.notify_change('deadline', 'case', c.case_id) from (select distinct case_id from changed) c;
  return null;
end $$;
create trigger deadlines_notify_insert after insert on cases.deadlines referencing new table as changed
  for each statement execute function cases.notify_deadlines();
create trigger deadlines_notify_update after update on cases.deadlines referencing new table as changed
  for each statement execute function cases.notify_deadlines();
create trigger deadlines_notify_delete after delete on cases.deadlines referencing old table as changed
  for each statement execute function cases.notify_deadlines();

create function cases.notify_invitation() returns trigger language plpgsql as $$
begin
  perform platform.notify_change('invitation', 'inviters', new.case_id, new.party_id);
  perform platform.notify_change('invitation', 'user', null, u.user_id::text)
    from identity_api.users u where lower(u.email collate "C") = lower(new.email collate "C") and not u.disabled;
  return null;
end $$;
create trigger invitations_notify after insert or update on cases.invitations for each row execute function cases.notify_invitation();

create function identity.notify_invitation() returns trigger language plpgsql as $$
begin
  perform platform.notify_change('invitation', 'administrators', new.organization_id);
  perform platform.notify_change('invitation', 'user', null, u.user_id::text)
    from identity_api.users u where (u.user_id = new.user_id or lower(u.email collate "C") = lower(new.email collate "C")) and not u.disabled;
  return null;
end $$;
create trigger invitations_notify_insert after insert on identity.invitations for each row execute function identity.notify_invitation();
create trigger invitations_notify_update after update on identity.invitations
  for each row when (old.outcome is distinct from new.outcome or old.expires_at <> new.expires_at) execute function identity.notify_invitation();

create function identity.notify_membership() returns trigger language plpgsql as $$
declare
  one identity.memberships := coalesce(new, old);
begin
  perform platform.notify_change('member', 'members', one.organization_id);
  if tg_op = 'DELETE' then
    perform platform.notify_change('member', 'user', null, one.user_id::text);
  end if;
  return null;
end $$;
create trigger memberships_notify after insert or update or delete on identity.memberships
  for each row execute function identity.notify_membership();

-- Deliveries are made, and their results written, many in a statement.
create function webhooks.notify_deliveries() returns trigger language plpgsql as $$
begin
  perform platform.notify_change('delivery', 'organization', c.organization_id) from (select distinct organization_id from changed) c;
  return null;
end $$;
create trigger deliveries_notify_insert after insert on webhooks.deliveries referencing new table as changed
  for each statement execute function webhooks.notify_deliveries();
create trigger deliveries_notify_update after update on webhooks.deliveries referencing new table as changed
  for each statement execute function webhooks.notify_deliveries();

-- An attempt that failed is tried again and leaves its delivery as it was. One that did not also ends its delivery.
create function webhooks.notify_attempts() returns trigger language plpgsql as $$
begin
  perform platform.notify_change('delivery', 'organization', c.organization_id) from (
    select distinct d.organization_id from changed join webhooks.deliveries d on d.delivery_id = changed.delivery_id
    where changed.error is not null or changed.status not between 200 and 299) c;
  return null;
end $$;
create trigger attempts_notify after insert on webhooks.attempts referencing new table as changed
  for each statement execute function webhooks.notify_attempts();

create function webhooks.notify_url() returns trigger language plpgsql as $$
begin
  perform platform.notify_change('delivery', 'organization', new.organization_id);
  return null;
end $$;
create trigger urls_notify_insert after insert on webhooks.urls for each row execute function webhooks.notify_url();
create trigger urls_notify_update after update on webhooks.urls
  for each row when (old.events <> new.events or old.disabled_at is distinct from new.disabled_at or old.deleted_at is distinct from new.deleted_at)
  execute function webhooks.notify_url();
