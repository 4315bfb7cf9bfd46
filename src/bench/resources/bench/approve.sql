-- An approval in one statement: reads the filing, the approver's part and the open case, locks the case as the platform
-- does, writes filing, head, entry, audit line and event. It does not notify whoever listens for events, which would take
-- turns at commit: the platform does, once a batch.
with turn as materialized (
  select f.filing_id, f.case_id, f.approver_party from (select nextval('bench.turn') as turn offset 0) t
  join bench.turns n using (turn) join mainapi.filings f using (filing_id)),
board as materialized (
  select turn.filing_id, p.user_id as approver
  from turn join mainapi.heads h using (case_id) join cases.cases c using (case_id)
  join cases.participants p on p.case_id = turn.case_id and p.party_id = turn.approver_party and not p.is_observer
  where c.status = 'open'
  for no key update of h for share of c),
filing as (
  update mainapi.filings f
  set state = 'docketed', entry_id = nextval('mainapi.entry_id'), revision = f.revision + 1, updated = now(), decided_at = now(),
      decided_by = board.approver
  from board where f.filing_id = board.filing_id and f.state = 'submitted'
  returning f.*),
head as (
  update mainapi.heads h
  set last_number = h.last_number + 1,
      head_hash = encode(sha256(convert_to(h.head_hash || filing.fields || filing.title || filing.entry_id, 'UTF8')), 'hex')
  from filing where h.case_id = filing.case_id
  returning h.case_id, h.last_number, h.head_hash),
entry as (
  insert into mainapi.entries (entry_id, case_id, number, filing_id, entered_at, user_id, organization_id, phase_id, document_id,
    party_id, title, fields, supersedes, parent_entry_id, root_entry_id, previous_hash, hash)
  select f.entry_id, f.case_id, h.last_number, f.filing_id, f.decided_at, f.user_id, f.organization_id, f.phase_id, f.document_id,
    f.party_id, f.title, f.fields, f.supersedes, f.parent_entry_id, null, h.head_hash, h.head_hash
  from filing f join head h using (case_id)),
line as (
  insert into platform.audit (case_id, at, user_id, action, subject, request_id, address)
  select case_id, decided_at, decided_by, 'filing.approved', filing_id, '0123456789abcdef0123456789abcdef', '127.0.0.1' from filing),
event as (
  insert into platform.events (event_id, event, case_id, actor_id, occurred_at, envelope)
  select gen_random_uuid(), 'docket_filing', case_id, user_id, decided_at, rpad('{"event":"docket_filing","data":{"entryID":"' || entry_id, 480, 'x')
  from filing
  returning sequence)
select count(*) from event
