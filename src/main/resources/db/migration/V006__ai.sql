-- Prompts with which documents are analysed.
create schema ai;

create table ai.prompts (
  prompt_id         bigint generated always as identity primary key,
  document_id       text not null,
  rule_set          text not null,
  version           int not null default 1,
  prompt            text not null check (length(prompt) between 1 and 50000),
  active            boolean not null,
  trigger_on_docket boolean not null,
  trigger_on_draft  boolean not null,
  include_evidence  boolean not null,
  include_full_case boolean not null,
  created           timestamptz not null,
  updated           timestamptz not null
);
create index prompts_document on ai.prompts (document_id, rule_set);

-- Every text that a prompt ever had, the present one included: an analysis refers to the one it was made with.
create table ai.prompt_versions (
  prompt_id  bigint not null references ai.prompts,
  version    int not null,
  prompt     text not null,
  created    timestamptz not null,
  created_by uuid not null,
  primary key (prompt_id, version)
);
