-- Analyses: one row for each prompt and revision of a filing, whatever becomes of it; work is due while it waits or runs.

-- What the AI area relies on beside what was published before: what filings and entries say.
create view mainapi_api.filing_contents as
  select filing_id, case_id, document_id, phase_id, party_id, state, title, fields, revision, approver_party, submitted_at, entry_id
  from mainapi.filings;
create view mainapi_api.entry_contents as
  select entry_id, case_id, number, filing_id, document_id, phase_id, party_id, title, fields, entered_at from mainapi.entries;

-- That a document was drafted is in the log for the platform alone: other sides may not know of it. Whoever tells events reads
-- this view, and what is not in it is told to nobody.
create or replace view platform_api.events as
  select sequence, event_id, event, case_id, actor_id, occurred_at, envelope from platform.events where event <> 'filing_drafted';

create table ai.analyses (
  analysis_id       bigint generated always as identity primary key,
  prompt_id         bigint not null,
  prompt_version    int not null,
  ran_on            text not null check (ran_on in ('draft', 'docket')),
  include_evidence  boolean not null,
  include_full_case boolean not null,
  case_id           uuid not null,
  filing_id         bigint not null,
  revision          bigint not null,
  entry_id          bigint,
  -- skipped: there was nothing to analyse any more.
  state             text not null check (state in ('waiting', 'done', 'failed', 'skipped')),
  created           timestamptz not null,
  ended             timestamptz,
  attempts          int not null default 0,
  -- Answers that could not be used; an endpoint that is away does not count.
  failures          int not null default 0,
  -- Time of the next attempt, or, while claimed, the end of the lease; null when it ended.
  due               timestamptz,
  claim             uuid,
  reason            text,
  -- SHA-256 of title and fields as they were analysed.
  content           bytea,
  model             text,
  answer            text,
  inputs            text,
  prompt_tokens     bigint not null default 0,
  answer_tokens     bigint not null default 0,
  foreign key (prompt_id, prompt_version) references ai.prompt_versions,
  unique (prompt_id, filing_id, revision),
  check ((due is null) = (state <> 'waiting')),
  check ((state = 'done') = (answer is not null))
);
create index analyses_due on ai.analyses (due, analysis_id) where due is not null;
create index analyses_case on ai.analyses (case_id, analysis_id desc);

-- What was drafted and docketed before there were analyses is not analysed afterwards.
insert into platform.event_consumers (consumer, transaction, sequence)
  select 'ai', transaction, sequence from platform.events order by transaction desc, sequence desc limit 1
  on conflict do nothing;
