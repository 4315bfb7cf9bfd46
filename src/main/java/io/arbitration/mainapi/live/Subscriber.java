package io.arbitration.mainapi.live;

import io.arbitration.domain.CaseId;
import java.util.Optional;
import java.util.UUID;

/**
 * Who follows events.
 *
 * @param id of a user, who follows the cases that it takes part in, or of an organization, whose machine client follows the cases that
 *     participants act for it in
 * @param caseId the only case that is followed; empty: all
 * @param changes whether hints at changes are sent as well
 */
record Subscriber(UUID id, boolean isOrganization, Optional<CaseId> caseId, boolean changes) {}
