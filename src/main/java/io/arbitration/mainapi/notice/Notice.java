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
 */
record Notice(UUID noticeId, CaseId caseId, Subject subject, String mailType, JsonObject input, JsonObject mail, Instant created, List<NoticeFile> files) {}
