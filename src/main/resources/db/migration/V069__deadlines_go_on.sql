-- An extension belongs to what set the deadline running and holds in later phases as well: whoever asks for extended deadlines needs the entry.
create or replace view cases_api.extended_deadlines as
  select case_id, phase_id, document_id, party_id, trigger_at, extended_to, trigger_entry from cases.deadlines where extended_to is not null;

-- By which rules the stored deadlines were computed, and how far through the cases a node has come that computes them again since the rules changed.
-- The release before neither reads nor writes it: what one of its nodes writes while the rules change is computed again after that node has ended.
create table cases.deadline_rules (
  singleton   boolean primary key default true check (singleton),
  fingerprint text not null,
  since       timestamptz not null,
  place       uuid not null,
  done        boolean not null
);
-- By which rules each node writes deadlines. A node of the release before has no row.
create table cases.node_rules (
  node_id     uuid primary key,
  fingerprint text not null
);

-- Of which deadline an email reminds, and of which date: it is sent only as long as that is to come and not met. The release before sends it whatever
-- has come of it, as it always did, and neither writes nor reads 'dropped'.
alter table emails.emails add column deadline_id uuid, add column deadline_date timestamptz;
alter table emails.deliveries drop constraint deliveries_state_check,
  add constraint deliveries_state_check check (state in ('pending', 'held', 'sent', 'bounced', 'failed', 'dropped')) not valid;

-- When what was said of a deadline or of a hearing's participants changed last, for calendars (DTSTAMP, RFC 5545, section 3.8.7.2); null: never since.
alter table cases.deadlines add column changed_at timestamptz;
alter table cases.hearings add column attendance_changed timestamptz;
create or replace view mainapi_api.filings as
  select f.filing_id, f.case_id, f.document_id, f.party_id, f.phase_id, f.user_id, f.organization_id, f.state,
         f.approver_party, f.submitted_at, e.entered_at, f.updated
  from mainapi.filings f left join mainapi.entries e on e.entry_id = f.entry_id;
