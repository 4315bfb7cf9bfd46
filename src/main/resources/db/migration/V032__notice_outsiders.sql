-- How many addresses outside of a case notices went to, of each user and of each case on each day of UTC. The rows are also the locks
-- under which they are counted.
create table mainapi.notice_outsiders (
  subject    text not null check (subject in ('user', 'case')),
  subject_id uuid not null,
  day        date not null,
  recipients int not null check (recipients > 0),
  primary key (subject, subject_id, day)
);
create index notice_outsiders_day on mainapi.notice_outsiders (day);
