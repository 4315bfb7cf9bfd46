-- How many analyses of a case were made today.
create index analyses_ended on ai.analyses (case_id, ended) where ended is not null;
