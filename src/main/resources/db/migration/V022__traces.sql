-- The W3C trace context of the request that made an event, an email or a message, so that the trace goes on where these are
-- sent from, on whichever node. Null where nothing is traced; nobody but the tracing reads it.
alter table platform.events add column trace text;
alter table emails.emails add column trace text;
alter table push.messages add column trace text;

create or replace view platform_api.events as
  select sequence, event_id, event, case_id, actor_id, occurred_at, envelope, trace from platform.events where event <> 'filing_drafted';
