-- The deadlines of somebody with thousands of cases are found along the dates of everybody's: with the case in the index, no row of others is read.
create index deadlines_by_date on cases.deadlines (date, deadline_id) include (case_id);
drop index cases.deadlines_date;
