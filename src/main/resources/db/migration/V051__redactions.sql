-- What was redacted: the audit trail has both hashes, this table the reason as well.
create table mainapi.redactions (
  redaction_id    bigint generated always as identity primary key,
  file_id         bigint not null references mainapi.files,
  entry_id        bigint not null references mainapi.entries,
  redacted_at     timestamptz not null,
  redacted_by     uuid not null,
  reason          text not null check (length(reason) between 1 and 2000),
  -- Of the file as it was filed, and as it is shown from then on.
  original_sha256 text not null,
  redacted_sha256 text not null
);
create index redactions_file on mainapi.redactions (file_id);
create trigger redactions_append_only before update or delete or truncate on mainapi.redactions
  for each statement execute function platform.refuse_change();
