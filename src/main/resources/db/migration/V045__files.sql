-- Files of filings. The bytes are in the object store; a file belongs to one filing.
create sequence mainapi.file_id;

create table mainapi.files (
  file_id               bigint primary key,
  filing_id             bigint not null references mainapi.filings,
  case_id               uuid not null,
  position              int not null check (position >= 1),
  title                 text not null,
  file_name             text not null,
  content_type          text not null,
  bytes                 bigint not null check (bytes > 0),
  sha256                text not null,
  -- SHA-256 of each block of 256 KiB, one after the other: any part of the file can be proved by itself.
  block_hashes          bytea not null,
  pages                 int check (pages >= 1),
  address               text not null unique,
  user_id               uuid not null,
  created               timestamptz not null,
  -- What a redaction replaced; null for a file that is as it was filed.
  original_file_name    text,
  original_content_type text,
  original_bytes        bigint check (original_bytes > 0),
  original_sha256       text,
  original_block_hashes bytea,
  original_pages        int check (original_pages >= 1),
  original_address      text unique,
  constraint files_original check ((original_address is null) = (original_sha256 is null)
    and (original_address is null) = (original_bytes is null) and (original_address is null) = (original_block_hashes is null)
    and (original_address is null) = (original_file_name is null) and (original_address is null) = (original_content_type is null)),
  -- Files change places within a transaction.
  constraint files_position unique (filing_id, position) deferrable initially deferred
);
create index files_case on mainapi.files (case_id, filing_id);

-- Files count with evidence against the quotas of the case and of the user, the case always first.
create function mainapi.count_file_bytes() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp as $$
declare
  more bigint := 0;
begin
  if tg_op <> 'INSERT' then
    more := more - old.bytes - coalesce(old.original_bytes, 0);
  end if;
  if tg_op <> 'DELETE' then
    more := more + new.bytes + coalesce(new.original_bytes, 0);
  end if;
  if more <> 0 then
    -- What is removed was counted: such a row is always there.
    insert into mainapi.case_evidence_bytes as c (case_id, bytes) values (coalesce(new.case_id, old.case_id), greatest(more, 0))
      on conflict (case_id) do update set bytes = c.bytes + more;
    insert into mainapi.user_evidence_bytes as u (user_id, bytes) values (coalesce(new.user_id, old.user_id), greatest(more, 0))
      on conflict (user_id) do update set bytes = u.bytes + more;
  end if;
  return null;
end
$$;
create trigger files_count_bytes after insert or update or delete on mainapi.files
  for each row execute function mainapi.count_file_bytes();

-- What was docketed stays: a file of a docketed filing is neither removed nor exchanged but for a redaction, which keeps the original.
create function mainapi.keep_docketed_file() returns trigger language plpgsql as $$
begin
  if exists (select from mainapi.filings f where f.filing_id = old.filing_id and f.state = 'docketed')
      and (tg_op = 'DELETE' or coalesce(new.original_sha256, new.sha256) <> coalesce(old.original_sha256, old.sha256)) then
    raise exception 'file % belongs to a docketed filing', old.file_id;
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;
create trigger files_keep_docketed before update or delete on mainapi.files
  for each row execute function mainapi.keep_docketed_file();
