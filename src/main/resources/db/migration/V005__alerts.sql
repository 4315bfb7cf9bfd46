-- Alert preferences. A user without a row has the defaults.
create schema alerts;

create table alerts.preferences (
  user_id        uuid primary key,
  docket_filings boolean not null,
  case_created   boolean not null
);
