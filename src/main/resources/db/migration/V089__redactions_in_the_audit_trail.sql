-- The line of a redaction names the file and the hashes of the filed and of the redacted file. A hash tells whether a guess of the content is right,
-- so whoever may not see the entry of the file reads the file's ID alone. The stored line does not change.
create function mainapi_api.redaction_subject(of_line text, reader uuid) returns text language sql stable as $$
  select case
    when exists (
      select from mainapi.redactions r
      where r.file_id = split_part(of_line, ' ', 1)::bigint and mainapi.withheld(r.entry_id, reader))
    then split_part(of_line, ' ', 1)
    else of_line end
$$;
