package io.arbitration.mainapi.evidence;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.evidence.ExhibitNumber;
import io.arbitration.platform.objects.ObjectAddress;
import java.time.Instant;
import java.util.Optional;

/**
 * A piece of evidence.
 *
 * @param organizationId of the uploader; empty if there is none
 * @param phaseId        in which it was uploaded
 * @param sha256         of the file, in hexadecimal digits
 * @param address where the file is stored
 */
public record Upload(
        long uploadId, CaseId caseId, ExhibitNumber exhibit, UserId userId, Optional<OrganizationId> organizationId, PhaseId phaseId,
        String categoryId, String description, String contentType, String fileName, long bytes, String sha256, ObjectAddress address,
        Instant created) {}
