package io.arbitration.alerts;

import java.util.Optional;

/** What a user changes; what is absent stays as it is. */
record PreferenceChange(
        Optional<Boolean> docketFilings, Optional<Boolean> caseCreated, Optional<Boolean> approvals, Optional<Boolean> decisions,
        Optional<Boolean> deadlines, Optional<Boolean> hearings, Optional<Boolean> invitations) {}
