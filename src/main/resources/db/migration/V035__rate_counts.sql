-- What each node let pass in the last seconds, for the others to count: the rates are those of the platform. Nothing is lost
-- with it but the counts of a few seconds, so it is not logged.
create unlogged table platform.rate_counts (
  node_id uuid not null,
  beat    bigint not null,
  written timestamptz not null default now(),
  counts  text not null,
  primary key (node_id, beat)
);
create index rate_counts_written on platform.rate_counts (written);
