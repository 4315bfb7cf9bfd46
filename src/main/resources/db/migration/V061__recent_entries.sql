-- The newest entries of somebody's cases: those of each case are read backwards from here, as far as they are asked for.
create index entries_recent on mainapi.entries (case_id, entered_at, entry_id);
