-- How many recipients notices went to on each day (UTC): outside of a case those of one side in it (subject: case/party), and inside of cases
-- those of one user. The rows are also the locks under which they are counted. Nodes of the release before count none.
create table mainapi.notice_recipients_of_day (
  counted    text not null check (counted in ('side', 'inside')),
  subject    text not null,
  day        date not null,
  recipients int not null check (recipients > 0),
  primary key (counted, subject, day)
);
create index notice_recipients_of_day_day on mainapi.notice_recipients_of_day (day);
