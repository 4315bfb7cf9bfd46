-- The docket entries from which deadlines of these cases are counted now: the newest entry of each of these document types, and every entry
-- with an extended deadline.
create function mainapi_api.triggering_entries(case_ids uuid[], document_ids text[])
  returns table (case_id uuid, entry_id bigint, document_id text, entered_at timestamptz) language sql stable as $$
  select newest.case_id, newest.entry_id, newest.document_id, newest.entered_at
  from unnest(case_ids) as c (of_case) cross join unnest(document_ids) as t (of_document)
  cross join lateral (
    select e.case_id, e.entry_id, e.document_id, e.entered_at from mainapi.entries e where e.case_id = c.of_case and e.document_id = t.of_document
    order by e.number desc limit 1) newest
  union
  select e.case_id, e.entry_id, e.document_id, e.entered_at
  from cases_api.extended_deadlines d join mainapi.entries e on e.entry_id = d.trigger_entry
  where d.case_id = any(case_ids)
$$;
