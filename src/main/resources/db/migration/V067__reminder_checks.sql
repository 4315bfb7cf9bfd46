-- Deadlines that were set so shortly before a reminder is due, or so long after, that the looks for reminders may have passed them. The next
-- look asks of each whether anybody was told, and forgets it. The release before neither writes nor reads this table.
create table cases.reminder_checks (
  days        int not null,
  deadline_id uuid not null,
  primary key (days, deadline_id)
);
