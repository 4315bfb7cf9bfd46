package io.arbitration.mainapi.notice;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.Identifiers;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.files.Download;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** The operations under {@code /service-of-notice} that serve notices and prove it. */
final class NoticeHandlers {

    /** Base64 of the largest images, and what stands beside them. */
    static final int BODY_BYTES_MAX = NoticeImage.ALL_BYTES_MAX / 3 * 4 + 1_048_576;
    private static final int PAGE_DEFAULT = 50;

    private final NoticeService service;
    private final ProofService proofs;

    NoticeHandlers(NoticeService service, ProofService proofs) {
        this.service = service;
        this.proofs = proofs;
    }

    void bind(Contract contract) {
        contract.bindLarge("sendNotice", BODY_BYTES_MAX, this::send).bind("listNotices", this::list).bindDownload("proveNotice", this::prove);
    }

    private Future<Reply> send(Call call) {
        return service.send(NewNotice.of(call), call.requester()).map(noticeId -> Reply.json(new JsonObject().put("noticeID", noticeId.toString())));
    }

    private Future<Reply> list(Call call) {
        int after = call.optionalText("cursor").map(NoticeHandlers::cursor).orElse(0);
        return service.list(CaseId.of(call.text("caseID")), call.requester(), after, call.integer("limit", PAGE_DEFAULT)).map(page -> Reply.json(new JsonObject()
                .put("notices", new JsonArray(page.notices().stream().map(NoticeHandlers::json).toList()))
                .put("nextCursor", page.next().map(String::valueOf).orElse(null))));
    }

    private static int cursor(String text) {
        return Identifiers.number(text).stream().filter(number -> number <= Integer.MAX_VALUE).mapToInt(number -> (int) number).findFirst()
                .orElseThrow(() -> Refusal.badRequest("cursor: must be the nextCursor of a page before"));
    }

    private Future<Download> prove(Call call) {
        // A text that is no noticeID names none: its existence is checked after the case and the caller's part.
        UUID noticeId = Identifiers.uuid(call.text("noticeID")).orElse(new UUID(0, 0));
        return proofs.proof(CaseId.of(call.text("caseID")), noticeId, call.requester())
                .map(made -> new Download.Stored("application/pdf", "proof-of-service-%s.pdf".formatted(noticeId),
                        made.fingerprint().bytes(), made.fingerprint().sha256(), (from, length) -> proofs.open(made, from, length)));
    }

    /** Members and their order are the specification's; a notice of a hearing has its ID, and none of an entry. */
    private static JsonObject json(NoticeListRepository.Served notice) {
        JsonObject json = new JsonObject()
                .put("noticeID", notice.noticeId().toString())
                .put("mailType", notice.mailType())
                .put("entryID", notice.entryId().map(String::valueOf).orElse(null));
        notice.hearingId().ifPresent(hearingId -> json.put("hearingID", hearingId.toString()));
        return json
                .put("recipients", new JsonArray(notice.recipients().stream().map(NoticeHandlers::json).toList()));
    }

    private static JsonObject json(NoticeListRepository.Delivery delivery) {
        return new JsonObject()
                .put("email", delivery.email())
                .put("sentAt", text(delivery.sentAt()))
                .put("deliveredAt", text(delivery.deliveredAt()))
                .put("failedAt", text(delivery.failedAt()))
                .put("reason", delivery.reason().orElse(null))
                .put("idempotencyKey", delivery.idempotencyKey());
    }

    private static String text(Optional<Instant> at) {
        return at.map(Timestamps::text).orElse(null);
    }
}
