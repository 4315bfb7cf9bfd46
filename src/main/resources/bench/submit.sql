-- What a submission writes, in one statement: the quota counted under the lock of the case, then filing, audit line, event.
with turn as materialized (
  select f.* from (select nextval('bench.turn') as turn offset 0) t
  join bench.turns n using (turn) join mainapi.filings f using (filing_id)),
head as materialized (
  select h.case_id from mainapi.heads h join turn using (case_id) for no key update of h),
quota as materialized (
  select count(q.filing_id) as used
  from head join cases.cases c using (case_id)
  join mainapi.filings q on q.case_id = c.case_id and q.phase_id = c.phase_id and q.party_id = 'claimant'
    and q.document_id = 'letterToTribunal' and q.state in ('submitted', 'docketed')),
filing as (
  update mainapi.filings f
  set state = 'submitted', phase_id = c.phase_id, approver_party = 'caseManager', revision = f.revision + 1, updated = now(),
      submitted_at = now()
  from turn, quota, cases.cases c
  where f.filing_id = turn.filing_id and f.state = 'draft' and c.case_id = turn.case_id and quota.used < 100000
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
