-- Whoever has an account is told of an invitation by push as well, and by email and push as it prefers. What is to be told of
-- invitations into organizations waits in a queue, as that of invitations to cases does.

-- Users whom an invitation is for, and who want to hear of invitations: the user itself, or whoever has the email.
create function alerts_api.told_of_invitations(invited uuid, address text) returns setof uuid stable language sql as $$
  select u.user_id
  from identity_api.users u left join alerts_api.preferences f on f.user_id = u.user_id
  where (u.user_id = invited or lower(u.email collate "C") = lower(address collate "C")) and not u.disabled and coalesce(f.invitations, true)
$$;

-- Whether its email is sent. An email that nobody has an account for has no preferences.
create function alerts_api.invitation_by_email(invited uuid, address text) returns boolean stable language sql as $$
  select exists (select from alerts_api.told_of_invitations(invited, address))
      or invited is null and not exists (select from identity_api.users u where lower(u.email collate "C") = lower(address collate "C"))
$$;

-- user_id: whom a push message tells; null: the email, which is the last of its invitation. Nodes of the release before send the last
-- alone, by email, and pass over the others.
alter table cases.invitation_emails add column user_id uuid;

-- number: how often the invitation had been sent then; user_id as above.
create table identity.invitation_emails (
  email_id      bigint generated always as identity primary key,
  invitation_id uuid not null references identity.invitations on delete cascade,
  number        integer not null,
  user_id       uuid
);
create index invitation_emails_invitation on identity.invitation_emails (invitation_id, email_id);

-- Nodes of the release before say by email_due that an email is due: it is queued for those of this one. Goes a release later.
create function identity.queue_invitation_email() returns trigger language plpgsql as $$
declare
  queued bigint;
begin
  insert into identity.invitation_emails (invitation_id, number) values (new.invitation_id, new.email_number) returning email_id into queued;
  perform platform.enqueue('organization_invitations', array[queued]);
  update identity.invitations set email_due = null where invitation_id = new.invitation_id;
  return null;
end $$;
create trigger invitations_email_due after insert or update of email_due on identity.invitations
  for each row when (new.email_due is not null) execute function identity.queue_invitation_email();

-- What was due before.
update identity.invitations set email_due = email_due where email_due is not null and outcome is null;
