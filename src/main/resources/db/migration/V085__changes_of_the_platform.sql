-- Tells open pages of what administrators change (V073, record 105). Nodes of the release before know no such audience and tell nobody.
--   audience   told to                                   id   detail
--   platform   the super administrators                  -    -

create function platform.notify_of_platform() returns trigger language plpgsql as $$
begin
  perform platform.notify_change(tg_argv[0], 'platform', null);
  return null;
end $$;

create trigger signing_keys_notify_insert after insert on platform.signing_keys for each row execute function platform.notify_of_platform('key');
create trigger signing_keys_notify_update after update on platform.signing_keys
  for each row when (old.withdrawn_at is distinct from new.withdrawn_at) execute function platform.notify_of_platform('key');
create trigger vapid_keys_notify after insert on push.vapid_keys for each row execute function platform.notify_of_platform('key');
create trigger prompts_notify after insert or update on ai.prompts for each row execute function platform.notify_of_platform('prompt');
create trigger templates_notify after insert or update on pdfs.templates for each row execute function platform.notify_of_platform('template');
create trigger users_notify after update on identity.users
  for each row when (old.disabled_at is distinct from new.disabled_at) execute function platform.notify_of_platform('user');

-- A user learns of the own permissions and sessions, too.
create function identity.notify_of_user() returns trigger language plpgsql as $$
begin
  perform platform.notify_change(tg_argv[0], 'platform', null);
  perform platform.notify_change(tg_argv[0], 'user', null, coalesce(new.user_id, old.user_id)::text);
  return null;
end $$;
create trigger permissions_notify after insert or delete on identity.permissions for each row execute function identity.notify_of_user('permission');
create trigger sessions_notify_insert after insert on identity.sessions for each row execute function identity.notify_of_user('session');
create trigger sessions_notify_update after update on identity.sessions
  for each row when (old.ended_at is distinct from new.ended_at) execute function identity.notify_of_user('session');

-- Not when it was last used, which changes with each token.
create function identity.notify_client() returns trigger language plpgsql as $$
begin
  perform platform.notify_change('client', 'platform', null);
  perform platform.notify_change('client', 'administrators', new.organization_id) where new.organization_id is not null;
  return null;
end $$;
create trigger clients_notify_insert after insert on identity.clients for each row execute function identity.notify_client();
create trigger clients_notify_update after update on identity.clients
  for each row when (old.permissions <> new.permissions or old.disabled_at is distinct from new.disabled_at)
  execute function identity.notify_client();
