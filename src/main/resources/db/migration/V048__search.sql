-- The index of the search: what is in cases, as words. It is written behind everything else and can be made again from it.
create schema search;

-- What is in the index, or is to be: a case (ref: 0), a filing (ref: filing_id), a file of one (ref: file_id), an exhibit (ref: upload_id).
create table search.sources (
  source_id bigint generated always as identity primary key,
  case_id   uuid not null,
  kind      text not null check (kind in ('case', 'filing', 'file', 'exhibit')),
  ref       bigint not null,
  -- Grows whenever the source changes; the index shows it as it was at the version that is indexed.
  wanted    int not null default 1,
  indexed   int not null default 0,
  unique (case_id, kind, ref)
);

-- One line of what a search finds. Who may see it, and whether a filing is on the docket, is looked at when it is found.
create table search.documents (
  document_id uuid primary key,
  source_id   bigint not null unique references search.sources,
  case_id     uuid not null,
  kind        text not null check (kind in ('case', 'filing', 'file', 'exhibit')),
  filing_id   bigint,
  upload_id   bigint,
  file_id     bigint,
  -- Of an exhibit: whose it is.
  party_id    text,
  -- Of the file whose text it is.
  sha256      text,
  title       text not null,
  at          timestamptz not null,
  has_text    boolean not null,
  -- Every word once, and one that names the case.
  words       tsvector not null
);
-- Each change is in the index at once: a list of changes that wait for it would have to be read by each search.
create index documents_words on search.documents using gin (words) with (fastupdate = off);

-- The text of a document in pieces that overlap, each with the places of its words: what phrases are looked for in, and shown of.
create table search.pieces (
  document_id uuid not null references search.documents on delete cascade,
  place       int not null,
  text        text not null,
  words       tsvector not null,
  primary key (document_id, place)
);

-- Has sources indexed again, in the transaction that changed them. Null or no refs: nothing happens.
create function search.want(of_case uuid, of_kind text, refs bigint[]) returns void language sql
  security definer set search_path = pg_catalog, pg_temp as $$
  with wanted as (
    insert into search.sources (case_id, kind, ref) select of_case, of_kind, r from unnest(refs) as r
    on conflict (case_id, kind, ref) do update set wanted = sources.wanted + 1
    returning source_id)
  select platform.enqueue('search', array_agg(source_id)) from wanted
$$;

-- Uploads are in no event. Those of nodes of the version before are found as well.
create function search.want_upload() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform search.want(new.case_id, 'exhibit', array[new.upload_id]);
  return null;
end $$;
create trigger uploads_searched after insert on mainapi.uploads for each row execute function search.want_upload();
select search.want(case_id, 'exhibit', array_agg(upload_id)) from mainapi.uploads group by case_id;

-- Files of filings, too: when they are filed, get another title, are redacted or removed.
create function search.want_file() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform search.want(coalesce(new.case_id, old.case_id), 'file', array[coalesce(new.file_id, old.file_id)]);
  return null;
end $$;
create trigger files_searched after insert or delete on mainapi.files for each row execute function search.want_file();
create trigger files_searched_again after update on mainapi.files
  for each row when ((old.title, old.sha256) is distinct from (new.title, new.sha256)) execute function search.want_file();
select search.want(case_id, 'file', array_agg(file_id)) from mainapi.files group by case_id;
