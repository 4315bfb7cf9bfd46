-- Cases that run by a clock of their own (decision 053).

-- sandbox_now: the time of such a case; null for a case that runs by the time of the platform. sandbox_told: up to when, by that clock,
-- what happens by itself (reminders, deadlines that pass) was told; never later than sandbox_now.
alter table cases.cases add column sandbox_now timestamptz, add column sandbox_told timestamptz;
create or replace view cases_api.cases as
  select case_id, title, rule_set, phase_id, status, revision, created, response_deadline_days, sandbox_now from cases.cases;

-- Of what people are reminded by the clock of the platform: the deadlines of a sandbox have no days here, so that a look at what is due
-- passes none of them, however many there are.
create index deadlines_reminded on cases.deadlines (date, deadline_id) where remind_days <> '{}';

-- Whether an event happened in a sandbox: channels mark it outside of the envelope.
alter table platform.events add column sandbox boolean not null default false;
create or replace view platform_api.events as
  select sequence, event_id, event, case_id, actor_id, occurred_at, envelope, trace, sandbox
  from platform.events where event not in ('filing_drafted', 'deadline_near');
create or replace view platform_api.alert_events as
  select sequence, event_id, event, case_id, actor_id, occurred_at, envelope, trace, sandbox
  from platform.events where event in ('docket_filing', 'case_created', 'filing_submitted', 'filing_rejected', 'deadline_near');

-- Whether the email to a recipient of a notice is kept and sent to nobody.
alter table mainapi.notice_recipients add column is_held boolean not null default false;
