-- Looks at the entries that were there before the check. Others read and append meanwhile.
alter table mainapi.entries validate constraint entries_form;
