-- The open cases by age: administrators of the platform look among them for those without a case manager.
create index cases_open on cases.cases (created desc, case_id desc) where status = 'open';

-- Their open pages learn that this list may have changed (V073, record 105), of no case in particular.
create trigger cases_notify_opened after insert on cases.cases
  for each row when (platform.changes_are_followed()) execute function platform.notify_of_platform('case');
create trigger cases_notify_closed after update on cases.cases
  for each row when (old.status <> new.status and platform.changes_are_followed()) execute function platform.notify_of_platform('case');
create trigger participants_notify_manager_added after insert on cases.participants
  for each row when (new.party_id = 'caseManager' and platform.changes_are_followed()) execute function platform.notify_of_platform('case');
create trigger participants_notify_manager_changed after update on cases.participants
  for each row when ('caseManager' in (old.party_id, new.party_id) and platform.changes_are_followed()) execute function platform.notify_of_platform('case');
create trigger participants_notify_manager_removed after delete on cases.participants
  for each row when (old.party_id = 'caseManager' and platform.changes_are_followed()) execute function platform.notify_of_platform('case');
