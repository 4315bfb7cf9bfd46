-- Entries of version 2 of the canonical form have a salt and the hashes of their files. Nodes of the version before go on appending
-- entries of version 1. Nothing is checked against the rows that are there yet: V041 does it without a lock.
alter table mainapi.entries
  add column version     smallint not null default 1,
  add column salt        bytea,
  add column file_hashes text[] not null default '{}',
  add constraint entries_form check (case version
    when 1 then salt is null and file_hashes = '{}'
    when 2 then salt is not null and length(salt) = 32
    else false end) not valid;
