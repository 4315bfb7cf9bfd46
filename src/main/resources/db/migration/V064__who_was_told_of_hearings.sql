-- Who was told of a hearing: what somebody was never told is new to it, a cancellation goes to those alone who were told, and whoever leaves
-- the case is told that the hearing is no longer its own. Nodes of the release before go on telling by revisions, and leave the new columns empty.

-- How often somebody joined or left the case while the hearing was to come. A calendar's SEQUENCE is revision - 1 plus this.
alter table cases.hearings add column attendance_changes int not null default 0;

alter table cases.hearing_news
  -- Whether the reader has it: "perhaps" where the other area had it and its answer was lost. Null: not decided yet, or by the release before.
  add column told text check (told in ('yes', 'no', 'perhaps')),
  add column attendance_changes int not null default 0,
  -- What somebody who leaves the case is told the hearing was; null in news of a revision.
  add column left_title text,
  add column left_starts_at timestamptz,
  add column left_minutes int,
  add column left_time_zone text;
alter table cases.hearing_news drop constraint hearing_news_hearing_id_user_id_channel_revision_key;
create unique index hearing_news_once on cases.hearing_news (hearing_id, user_id, channel, revision, attendance_changes);

-- What areas may know of items that wait: whether a node works on one now, and how often one was claimed since an outcome was recorded.
create view platform_api.queue_states as
  select queue, key, claim is not null and due > now() as is_leased, unrecorded from platform.queue_items;
