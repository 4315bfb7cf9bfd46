-- Sealed docket entries: withheld from some parties.

-- The entries that are sealed now; the audit trail tells of those that were. seen_by: all parties that see the entry, as the rule
-- EntryVisibility has it. A filing that is to be sealed is written just before its entry, in one transaction.
create table mainapi.seals (
  entry_id   bigint primary key references mainapi.entries deferrable initially deferred,
  case_id    uuid not null,
  party_id   text not null,
  visible_to text[] not null,
  seen_by    text[] not null generated always as (visible_to || array[party_id, 'caseManager', 'arbitrator']) stored,
  reason     text not null check (length(reason) between 1 and 2000),
  sealed_by  uuid not null,
  sealed_at  timestamptz not null
);
create index seals_case on mainapi.seals (case_id);

-- Each time somebody sealed or unsealed an entry, with the reason: the audit trail, which more people read, has the deed alone.
create table mainapi.seal_changes (
  change_id  bigint generated always as identity primary key,
  entry_id   bigint not null references mainapi.entries deferrable initially deferred,
  changed_at timestamptz not null,
  changed_by uuid not null,
  -- Null: it was unsealed.
  visible_to text[],
  reason     text not null check (length(reason) between 1 and 2000)
);
create index seal_changes_entry on mainapi.seal_changes (entry_id);
create trigger seal_changes_append_only before update or delete or truncate on mainapi.seal_changes
  for each statement execute function platform.refuse_change();

-- Grows with every change of a seal of the case: what was read of the docket under another number may show too much or too little.
alter table mainapi.heads add column seals int not null default 0;

-- How the filing is to be sealed on the docket: {"visibleTo": [...], "reason": "..."}.
alter table mainapi.filings add column sealed text;

-- A filing that is to be sealed becomes a sealed entry in one step, whichever version of a node dockets it.
create function mainapi.seal_as_filed() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp as $$
declare
  parties constant text[] := array(select json_array_elements_text(new.sealed::json -> 'visibleTo'));
begin
  insert into mainapi.seals (entry_id, case_id, party_id, visible_to, reason, sealed_by, sealed_at)
    values (new.entry_id, new.case_id, new.party_id, parties, new.sealed::json ->> 'reason', new.user_id, new.updated);
  insert into mainapi.seal_changes (entry_id, changed_at, changed_by, visible_to, reason)
    values (new.entry_id, new.updated, new.user_id, parties, new.sealed::json ->> 'reason');
  update mainapi.heads set seals = seals + 1 where case_id = new.case_id;
  return null;
end $$;
create trigger filings_sealed_as_filed after insert on mainapi.filings
  for each row when (new.sealed is not null and new.state = 'docketed') execute function mainapi.seal_as_filed();
create trigger filings_sealed_as_docketed after update on mainapi.filings
  for each row when (new.sealed is not null and new.state = 'docketed' and old.state <> 'docketed') execute function mainapi.seal_as_filed();

-- Whether an entry is withheld from somebody. Whoever takes no part in the case sees no sealed entry.
create function mainapi.withheld(of_entry bigint, from_user uuid) returns boolean language sql stable as $$
  select exists (
    select from mainapi.seals s
    where s.entry_id = of_entry and not exists (
      select from cases_api.participants p where p.case_id = s.case_id and p.user_id = from_user and p.party_id = any (s.seen_by)))
$$;

-- The title is what everybody in the case may read. Who reads sealed_title looks first whether the party is in seen_by.
create or replace view mainapi_api.docket_entries as
  select e.entry_id, e.case_id, e.number, case when s.entry_id is null then e.title else 'Sealed document' end as title, e.entered_at,
         e.title as sealed_title, s.seen_by
  from mainapi.entries e left join mainapi.seals s on s.entry_id = e.entry_id;
