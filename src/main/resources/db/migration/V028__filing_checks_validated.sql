-- Looks at the rows that were there before the checks. Others read and write these tables meanwhile.
alter table mainapi.filings validate constraint filings_supersedes_entry;
alter table mainapi.filings validate constraint filings_parent_entry;
alter table mainapi.filings validate constraint filings_docketed_entry;
alter table mainapi.filings validate constraint filings_revision;
alter table mainapi.filings validate constraint filings_decision;
alter table mainapi.filings validate constraint filings_submission;
alter table mainapi.filings validate constraint filings_state_whole;
alter table mainapi.heads validate constraint heads_last_number;
alter table mainapi.heads validate constraint heads_hash;
