-- PDF templates that were uploaded; those in the folder of the configuration are not here.
create schema pdfs;

create table pdfs.templates (
  document_id text primary key check (length(document_id) between 1 and 36),
  file        bytea not null,
  sha256      bytea not null check (length(sha256) = 32),
  uploaded_by uuid not null,
  uploaded_at timestamptz not null
);
-- Compressed already.
alter table pdfs.templates alter column file set storage external;
