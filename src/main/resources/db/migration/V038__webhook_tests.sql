-- One test of an organization's URLs is under way at a time, on whichever node: test_until is the end of its lease.
alter table webhooks.organizations
  add column test_id    uuid,
  add column test_until timestamptz,
  add constraint organizations_test check ((test_id is null) = (test_until is null));
