-- Hearings that were cancelled since their case was closed, and of which nobody is told yet: a case can have 500 of them, and 500 people. The queue
-- hearing_closings has them; news for the people of a few hearings at a time are made from it after the closing. A node of the release before makes
-- the news of the cases that it closes itself, as it did, and leaves these rows to the others.
create table cases.hearing_closings (
  closing_id bigint generated always as identity primary key,
  hearing_id uuid not null unique references cases.hearings
);
