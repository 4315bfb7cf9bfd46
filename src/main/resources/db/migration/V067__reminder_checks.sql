-- Deadlines that were set or moved, for the next look for reminders: the looks may have passed them before their transaction ended, or before the
-- event that sets them was read. The look asks of each that it passed whether anybody was told, and deletes the note. The release before neither
-- writes nor reads this table.
create table cases.reminder_checks (
  note_id     bigint generated always as identity primary key,
  days        int not null,
  deadline_id uuid not null
);
