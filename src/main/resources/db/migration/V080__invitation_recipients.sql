-- The users to whom an invitation is sent: the invited user, or whoever has the email, unless their preferences say no. Only nodes of the
-- release before call the function under its former name.
create function alerts_api.invitation_recipients(invited uuid, address text) returns setof uuid stable language sql as $$
  select u.user_id
  from identity_api.users u left join alerts_api.preferences f on f.user_id = u.user_id
  where (u.user_id = invited or lower(u.email collate "C") = lower(address collate "C")) and not u.disabled and coalesce(f.invitations, true)
$$;
create or replace function alerts_api.told_of_invitations(invited uuid, address text) returns setof uuid stable language sql as $$
  select alerts_api.invitation_recipients(invited, address)
$$;
create or replace function alerts_api.invitation_by_email(invited uuid, address text) returns boolean stable language sql as $$
  select exists (select from alerts_api.invitation_recipients(invited, address))
      or invited is null and not exists (select from identity_api.users u where lower(u.email collate "C") = lower(address collate "C"))
$$;
