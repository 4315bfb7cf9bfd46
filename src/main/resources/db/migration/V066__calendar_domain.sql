-- The domain in the UIDs of calendar entries: the host of the public address when the first node of a release with this table started. It stays
-- when the address changes, so that calendars go on knowing their entries. Nodes of the release before use the host of their own address.
create table cases.calendar_domain (
  only_row boolean primary key default true check (only_row),
  domain   text not null
);
