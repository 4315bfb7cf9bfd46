package io.arbitration.mainapi.notice;

import io.arbitration.domain.Identifiers;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.mainapi.docket.DocketRepository;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.config.AreaSettings;
import io.arbitration.platform.objects.Bucket;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.files.Download;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.paper.PaperWorkers;
import io.arbitration.platform.queue.BusHandover;
import io.arbitration.platform.queue.Dispatcher;
import io.arbitration.platform.queue.LeaseQueue;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The operations under {@code /service-of-notice} that serve notices, and the sending of what they serve. */
public final class NoticeHandlers {

    /** Base64 of the largest images, and what stands beside them. */
    static final int BODY_BYTES_MAX = NoticeImage.ALL_BYTES_MAX / 3 * 4 + 1_048_576;
    /** Notices waiting to be composed; more are refused. */
    private static final int COMPOSED_QUEUE_MAX = 32;

    private static final long FORGET_MILLIS = Duration.ofHours(1).toMillis();
    private static final Logger LOG = LoggerFactory.getLogger(NoticeHandlers.class);

    private final Vertx vertx;
    private final Clock clock;
    private final NoticeRepository repository;
    private final NoticeService service;
    private final ProofService proofs;
    private final Dispatcher<DueEmail, Handover> dispatcher;
    private long forgetting = -1;

    public NoticeHandlers(Vertx vertx, AreaServices services, AreaSettings areas, Bucket bucket, CaseRules rules) {
        this.vertx = vertx;
        this.clock = services.clock();
        this.repository = new NoticeRepository(services.database(), services.audit(), services.objects().pending());
        PaperWorkers workers = new PaperWorkers(vertx, COMPOSED_QUEUE_MAX);
        this.service = new NoticeService(services, repository, new DocketRepository(services.database()), rules.definitions(), workers, bucket);
        this.proofs = new ProofService(services, new ProofRepository(services.database(), services.audit(), services.objects().pending()),
                workers, bucket);
        this.dispatcher = LeaseQueue.dispatcher(vertx, services, Outbox.TERMS, new OutboxRepository(services.database()),
                new Outbox(new BusHandover(vertx, areas), services.meters(), services.clock(), services.random()), Outbox.IN_FLIGHT_MAX);
    }

    public void bind(Contract contract) {
        contract.bindLarge("sendNotice", BODY_BYTES_MAX, this::send).bind("listNotices", this::list).bindDownload("proveNotice", this::prove);
    }

    /** Begins to hand emails to the mail service. */
    public void start() {
        dispatcher.start();
        forgetting = vertx.setPeriodic(FORGET_MILLIS, due -> repository.forgetRequests(clock.instant())
                .onFailure(failed -> LOG.warn("notices: forgetting old requests failed and is tried again: {}", failed.getMessage())));
    }

    public Future<Void> stop() {
        vertx.cancelTimer(forgetting);
        return dispatcher.stop();
    }

    private Future<Reply> send(Call call) {
        return service.send(NewNotice.of(call), by(call), call.idempotencyKey())
                .map(noticeId -> Reply.json(new JsonObject().put("noticeID", noticeId.toString())));
    }

    private Future<Reply> list(Call call) {
        UUID caseId = Identifiers.uuid(call.text("caseID")).orElseThrow(NoticeError.CASE_NOT_FOUND::refusal);
        return service.list(caseId, call.caller().id()).map(notices -> Reply.json(
                new JsonObject().put("notices", new JsonArray(notices.stream().map(NoticeHandlers::json).toList()))));
    }

    private Future<Download> prove(Call call) {
        UUID caseId = Identifiers.uuid(call.text("caseID")).orElseThrow(NoticeError.CASE_NOT_FOUND::refusal);
        // A text that is no noticeID names none: its existence is checked after the case and the caller's part.
        UUID noticeId = Identifiers.uuid(call.text("noticeID")).orElse(new UUID(0, 0));
        return proofs.proof(caseId, noticeId, by(call)).map(made -> new Download.Stored("application/pdf", "proof-of-service-%s.pdf".formatted(noticeId),
                made.fingerprint().bytes(), made.fingerprint().sha256(), (from, length) -> proofs.open(made, from, length)));
    }

    /** Members and their order are the specification's. */
    private static JsonObject json(NoticeService.Served notice) {
        return new JsonObject()
                .put("noticeID", notice.noticeId().toString())
                .put("mailType", notice.mailType())
                .put("entryID", String.valueOf(notice.entryId()))
                .put("recipients", new JsonArray(notice.recipients().stream().map(NoticeHandlers::json).toList()));
    }

    private static JsonObject json(NoticeRepository.Delivery delivery) {
        return new JsonObject()
                .put("email", delivery.email())
                .put("sentAt", text(delivery.sentAt()))
                .put("deliveredAt", text(delivery.deliveredAt()))
                .put("failedAt", text(delivery.failedAt()))
                .put("reason", delivery.reason())
                .put("idempotencyKey", delivery.idempotencyKey());
    }

    private static String text(Instant at) {
        return at == null ? null : Timestamps.text(at);
    }

    private static By by(Call call) {
        return new By(call.caller().id(), call.requestId(), call.remoteAddress());
    }
}
