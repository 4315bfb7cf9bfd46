-- Which node runs the request: when it is gone, the key is free.
alter table platform.idempotency add column node_id uuid;
