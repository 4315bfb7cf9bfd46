-- Cases that a user, or the users of an organization, created on the last day (UTC) on which they created one. Nodes of the release before count none.
create table cases.created_today (
  owner_id uuid primary key,
  day      date not null,
  cases    int not null
);

-- Alert emails to a person that acts of one user caused on a day (UTC). Nodes of the release before count none.
create table alerts.emails_of_day (
  user_id  uuid not null,
  actor_id uuid not null,
  day      date not null,
  emails   int not null,
  primary key (user_id, actor_id, day)
);
create index emails_of_day_day on alerts.emails_of_day (day);
