-- Objects that are being written and belong to no row yet; what is left here belongs to an upload that died.
create table platform.pending_objects (
  address text primary key,
  touched timestamptz not null,
  -- Being deleted: no row takes it over any more.
  doomed  boolean not null default false
);
create index pending_objects_touched on platform.pending_objects (touched);

-- Evidence. The files themselves are in the object store.
create sequence mainapi.upload_id;

-- The last exhibit number of each party; the lock under which the next is given.
create table mainapi.exhibits (
  case_id     uuid not null,
  party_id    text not null,
  last_number int not null check (last_number >= 1),
  primary key (case_id, party_id)
);

create table mainapi.uploads (
  upload_id       bigint primary key,
  case_id         uuid not null,
  party_id        text not null,
  exhibit         int not null check (exhibit >= 1),
  user_id         uuid not null,
  organization_id uuid,
  phase_id        text not null,
  category_id     text not null,
  description     text not null,
  content_type    text not null,
  file_name       text not null,
  bytes           bigint not null check (bytes > 0),
  sha256          text not null,
  -- SHA-256 of each block of 256 KiB, one after the other: any part of the file can be proved by itself.
  block_hashes    bytea not null,
  address         text not null unique,
  created         timestamptz not null,
  foreign key (case_id, party_id) references mainapi.exhibits,
  unique (case_id, party_id, exhibit)
);
create index uploads_case on mainapi.uploads (case_id, upload_id);
create trigger uploads_append_only before update or delete or truncate on mainapi.uploads
  for each statement execute function platform.refuse_change();

-- Whose eyes may see which upload: those of its own side and of the case manager at any time, everyone else's only once
-- evidence is exchanged. Whoever shows evidence reads it here, by reader.
create view mainapi_api.upload_readers as
  select p.user_id as reader_id, not p.is_observer and (p.party_id = u.party_id or p.party_id = 'caseManager') as at_any_time, u.*
  from mainapi.uploads u join cases_api.participants p on p.case_id = u.case_id;
