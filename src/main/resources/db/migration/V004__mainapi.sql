-- Filings and the docket.
create schema mainapi;
create schema mainapi_api;

create sequence mainapi.filing_id;
create sequence mainapi.entry_id;

-- One row a case: the lock under which its filings are decided, and the end of its hash chain.
create table mainapi.heads (
  case_id     uuid primary key,
  last_number int not null default 0,
  head_hash   text not null default repeat('0', 64)
);

create table mainapi.filings (
  filing_id       bigint primary key,
  case_id         uuid not null references mainapi.heads,
  document_id     text not null,
  phase_id        text not null,
  party_id        text not null,
  user_id         uuid not null,
  organization_id uuid,
  state           text not null check (state in ('draft', 'submitted', 'docketed', 'rejected', 'withdrawn')),
  title           text not null,
  fields          text not null,
  supersedes      bigint,
  parent_entry_id bigint,
  revision        bigint not null,
  created         timestamptz not null,
  updated         timestamptz not null,
  submitted_at    timestamptz,
  approver_party  text,
  decided_at      timestamptz,
  decided_by      uuid,
  reason          text,
  entry_id        bigint unique,
  late            boolean not null default false,
  check ((state = 'docketed') = (entry_id is not null))
);
create index filings_case on mainapi.filings (case_id, filing_id);
create index filings_quota on mainapi.filings (case_id, phase_id, party_id, document_id) where state in ('submitted', 'docketed');
create index filings_pending on mainapi.filings (case_id, approver_party) where state = 'submitted';

-- The docket. Written once, never changed: whether an entry is superseded is told by the entry that supersedes it.
create table mainapi.entries (
  entry_id        bigint primary key,
  case_id         uuid not null references mainapi.heads,
  number          int not null check (number >= 1),
  filing_id       bigint not null unique references mainapi.filings,
  entered_at      timestamptz not null,
  user_id         uuid not null,
  organization_id uuid,
  phase_id        text not null,
  document_id     text not null,
  party_id        text not null,
  title           text not null,
  fields          text not null,
  supersedes      bigint unique references mainapi.entries,
  parent_entry_id bigint references mainapi.entries,
  root_entry_id   bigint references mainapi.entries,
  previous_hash   text not null,
  hash            text not null,
  unique (case_id, number)
);
-- The newest entry of a document type: deadlines count from it.
create index entries_document on mainapi.entries (case_id, document_id, number desc);
create trigger entries_append_only before update or delete or truncate on mainapi.entries
  for each statement execute function platform.refuse_change();

create view mainapi_api.filings as
  select f.filing_id, f.case_id, f.document_id, f.party_id, f.phase_id, f.user_id, f.organization_id, f.state,
         f.approver_party, f.submitted_at, e.entered_at
  from mainapi.filings f left join mainapi.entries e on e.entry_id = f.entry_id;
