-- Files of filings for areas that read them: what a redaction replaced is not among them.
create view mainapi_api.file_objects as
  select file_id, filing_id, case_id, position, title, content_type, bytes, sha256, block_hashes, address from mainapi.files;

-- Who may read which file: whoever may view the filing.
create view mainapi_api.file_readers as
  select p.user_id as reader_id, x.file_id, x.case_id
  from mainapi.files x
  join mainapi.filings f on f.filing_id = x.filing_id
  join cases_api.participants p on p.case_id = x.case_id
  where case f.state when 'docketed' then not mainapi.withheld(f.entry_id, p.user_id)
    else f.party_id = p.party_id or f.submitted_at is not null and f.approver_party = p.party_id end;
