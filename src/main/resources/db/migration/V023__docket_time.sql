-- When the last entry of a case was entered: clocks of nodes differ, and no entry may bear a time before that of the one before it.
alter table mainapi.heads add column entered_at timestamptz;
update mainapi.heads h set entered_at = e.entered_at from mainapi.entries e where e.case_id = h.case_id and e.number = h.last_number;
