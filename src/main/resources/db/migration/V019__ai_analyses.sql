-- Draft awards and analyses.

-- Who asked for which award, of which inputs, from which model, under which prompt. Not the award itself: its hash proves it.
create table ai.awards (
  award_id       uuid primary key,
  created        timestamptz not null,
  user_id        uuid not null,
  request_id     text,
  model          text not null,
  prompt_version text not null,
  inputs         text not null,
  answer_sha256  text not null,
  rounds         int not null check (rounds between 1 and 2),
  prompt_tokens  bigint not null,
  answer_tokens  bigint not null
);
create index awards_user on ai.awards (user_id, created);
create trigger awards_append_only before update or delete or truncate on ai.awards
  for each statement execute function platform.refuse_change();

-- What the AI area relies on beside what was published before: which upload an object belongs to, whoever may see it.
create view mainapi_api.upload_objects as
  select upload_id, case_id, party_id, exhibit, description, content_type, address, bytes, sha256, block_hashes from mainapi.uploads;
