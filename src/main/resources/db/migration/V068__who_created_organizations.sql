-- Who created an organization, so that one user cannot make as many tenants as it likes. Unknown for those of before.
alter table identity.organizations add column created_by uuid;
create index organizations_created_by on identity.organizations (created_by) where created_by is not null;
