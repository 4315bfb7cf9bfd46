-- Whoever may add an upload has it counted, by the rights of the owner: a node of before that uploads while these tables are new has no
-- rights on them yet.
alter function mainapi.count_evidence_bytes() security definer;
alter function mainapi.count_evidence_bytes() set search_path = pg_catalog, pg_temp;
