-- A node holds a bounded number of revocations in memory and looks up older ones here.
create index revocations_subject on platform.revocations (subject_id);
