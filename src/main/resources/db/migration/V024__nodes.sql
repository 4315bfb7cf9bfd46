-- The nodes that run on this database, and what has to be the same on all of them.
create table platform.nodes (
  node_id        uuid primary key,
  name           text not null,
  started        timestamptz not null default now(),
  seen           timestamptz not null default now(),
  -- Whether it answers requests: a node whose definitions are not those in force does not.
  serves         boolean not null default true,
  definitions    text not null,
  cluster_secret text,
  kafka          text
);

create table platform.definitions_in_force (
  singleton   boolean primary key default true check (singleton),
  fingerprint text not null,
  since       timestamptz not null default now()
);
