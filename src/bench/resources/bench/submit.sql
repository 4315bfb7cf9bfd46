-- A submission in one statement: reads the filing, the filer's part and the open case, locks the case as the platform does,
-- counts the quota, writes filing, audit line and event. It does not notify whoever listens for events, which would take
-- turns at commit: the platform does, once a batch.
with turn as materialized (
  select f.filing_id, f.case_id, f.user_id from (select nextval('bench.turn') as turn offset 0) t
  join bench.turns n using (turn) join mainapi.filings f using (filing_id)),
board as materialized (
  select turn.filing_id, turn.case_id, c.phase_id
  from turn join mainapi.heads h using (case_id) join cases.cases c using (case_id)
  join cases.participants p on p.case_id = turn.case_id and p.user_id = turn.user_id and not p.is_observer
  where c.status = 'open'
  for no key update of h for share of c),
filing as (
  update mainapi.filings f
  set state = 'submitted', phase_id = board.phase_id, approver_party = 'caseManager', revision = f.revision + 1, updated = now(),
      submitted_at = now()
  from board where f.filing_id = board.filing_id and f.state = 'draft' and 100000 > (
    select count(*) from mainapi.filings q
    where q.case_id = board.case_id and q.phase_id = board.phase_id and q.party_id = 'claimant'
      and q.document_id = 'letterToTribunal' and q.state in ('submitted', 'docketed'))
  returning f.*),
line as (
  insert into platform.audit (case_id, at, user_id, action, subject, request_id, address)
  select case_id, submitted_at, user_id, 'filing.submitted', filing_id, '0123456789abcdef0123456789abcdef', '127.0.0.1' from filing),
event as (
  insert into platform.events (event_id, event, case_id, actor_id, occurred_at, envelope)
  select gen_random_uuid(), 'filing_submitted', case_id, user_id, submitted_at, rpad('{"event":"filing_submitted","data":{"filingID":"' || filing_id, 440, 'x')
  from filing
  returning sequence)
select count(*) from event
