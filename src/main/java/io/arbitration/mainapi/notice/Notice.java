package io.arbitration.mainapi.notice;

import io.arbitration.domain.CaseId;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * A notice as it is kept, but for its recipients.
 *
 * @param input what the sender gave as JSON
 * @param mail values for the template of its email
 * @param created by the time of the case
 * @param kept by the time of the platform, by which what one may send a day is counted
 * @param inSandbox whether the case runs by a clock of its own: then nobody outside of it gets an email
 */
record Notice(UUID noticeId, CaseId caseId, long entryId, String mailType, JsonObject input, JsonObject mail, Instant created, Instant kept, boolean inSandbox,
        List<NoticeFile> files) {}
