-- Sessions at identity providers that have ended. ID tokens of such a session start no session here, so a stolen one cannot be used after
-- its user has signed out at the provider. Rows are deleted when ID tokens from before are too old to be accepted.
create table identity.provider_logouts (
  provider         text not null,
  provider_session text not null,
  ended_at         timestamptz not null,
  primary key (provider, provider_session)
);
create index provider_logouts_ended on identity.provider_logouts (ended_at);

-- Authorization codes of the demo provider that were used: a code can be used once, on whichever node. No row outside of the demo profile.
create table identity.demo_codes (
  code_id    uuid primary key,
  expires_at timestamptz not null
);
