-- Of what else people are told beside docket filings and new cases.
alter table alerts.preferences
  add column approvals   boolean not null default true,
  add column decisions   boolean not null default true,
  add column deadlines   boolean not null default true,
  add column hearings    boolean not null default true,
  add column invitations boolean not null default true;

create or replace view cases_api.deadlines as
  select d.deadline_id, d.case_id, d.phase_id, d.document_id, d.party_id, d.rule, d.late, d.date, d.extended_to,
         exists (
           select from mainapi_api.filings f
           where f.case_id = d.case_id and f.document_id = d.document_id and f.party_id = d.party_id
             and f.state in ('submitted', 'docketed') and f.submitted_at between d.trigger_at and d.date) as is_met
  from cases.deadlines d;
