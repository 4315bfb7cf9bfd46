-- Whether what the request does is committed, set by the transaction that does it: then the key is not free again, whatever becomes
-- of the node and of its answer.
alter table platform.idempotency add column decided boolean not null default false;
