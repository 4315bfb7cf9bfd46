-- What the rules of filings have always said, held by the database as well. Nothing is checked against the rows that are there
-- yet: that would lock the tables for as long as it takes, and V028 does it without such a lock.
alter table mainapi.filings
  add constraint filings_supersedes_entry foreign key (supersedes) references mainapi.entries not valid,
  add constraint filings_parent_entry foreign key (parent_entry_id) references mainapi.entries not valid,
  -- A filing is written before the entry that it becomes.
  add constraint filings_docketed_entry foreign key (entry_id) references mainapi.entries deferrable initially deferred not valid,
  add constraint filings_revision check (revision >= 1) not valid,
  add constraint filings_decision check (
    (decided_at is null) = (decided_by is null) and (reason is null or decided_at is not null)) not valid,
  add constraint filings_submission check (submitted_at is not null or approver_party is null and not late) not valid,
  add constraint filings_state_whole check (case state
    when 'draft' then submitted_at is null and (decided_at is null) = (reason is null)
    when 'submitted' then submitted_at is not null and approver_party is not null and decided_at is null
    when 'docketed' then submitted_at is not null and reason is null and (decided_at is null) = (approver_party is null)
    when 'rejected' then submitted_at is not null and approver_party is not null and reason is not null
    when 'withdrawn' then (decided_at is null) = (reason is null)
    end) not valid;

alter table mainapi.heads
  add constraint heads_last_number check (last_number >= 0) not valid,
  add constraint heads_hash check (head_hash ~ '^[0-9a-f]{64}$') not valid;

-- How many filings a party can still change is counted before it makes another.
create index filings_open_drafts on mainapi.filings (case_id, party_id) where state in ('draft', 'rejected');
