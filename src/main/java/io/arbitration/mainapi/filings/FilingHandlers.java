package io.arbitration.mainapi.filings;

import io.arbitration.domain.Identifiers;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.mainapi.docket.DocketRepository;
import io.arbitration.mainapi.docket.DocketSettings;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.telemetry.Traces;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** The operations under {@code /filings}. */
public final class FilingHandlers {

    private static final int LIMIT_DEFAULT = 50;

    private final FilingService service;

    public FilingHandlers(Vertx vertx, AreaServices services, DocketSettings settings, CaseRules caseRules) {
        FilingRules rules = new FilingRules(caseRules, services.clock());
        DocketRepository docket = new DocketRepository(services.database());
        FilingRepository repository = new FilingRepository(services.database(), services.events(), services.audit(), docket, rules);
        DecisionLanes lanes = new DecisionLanes(vertx, settings.writeLanes(),
                settings.writeQueueMax(), asked -> services.traces().within(vertx, asked.getFirst().command().by().trace(),
                        new Traces.Work("filings decide", Traces.Kind.WORKS, Map.of("acp.batch", String.valueOf(asked.size()))),
                        () -> repository.decide(asked)));
        this.service = new FilingService(repository, rules, lanes, docket,
                new Receipts(services.tokens().issuer(), services.signingKeys(), services.clock()));
    }

    public void bind(Contract contract) {
        contract.bind("createFiling", this::create)
                .bind("updateFiling", this::update)
                .bind("viewFiling", this::view)
                .bind("listFilings", this::list)
                .bind("submitDocument", this::submit)
                .bind("withdrawDocument", this::withdraw)
                .bind("approveDocument", this::approve)
                .bind("rejectDocument", this::reject)
                .bind("listPendingApproval", this::pendingApproval)
                .bind("checkDocument", this::check)
                .bind("issueReceipt", this::receipt);
    }

    private Future<Reply> create(Call call) {
        Filing.Content content = new Filing.Content(call.text("title"), call.body().getJsonObject("fields", new JsonObject()),
                reference(call, "supersedes"), reference(call, "parentEntryID"));
        return service.decide(new FilingCommand.Create(caseId(call), by(call), call.text("documentID"), content)).map(FilingHandlers::reply);
    }

    private Future<Reply> update(Call call) {
        return service.decide(new FilingCommand.Update(caseId(call), by(call), filingId(call), call.ifMatch(),
                        call.optionalText("title"), Optional.ofNullable(call.body().getJsonObject("fields")),
                        change(call, "supersedes"), change(call, "parentEntryID")))
                .map(FilingHandlers::reply);
    }

    private Future<Reply> submit(Call call) {
        return service.decide(new FilingCommand.Submit(caseId(call), by(call), filingId(call), call.ifMatch()))
                .map(Reply.sentence("Document successfully submitted."));
    }

    private Future<Reply> withdraw(Call call) {
        return service.decide(new FilingCommand.Withdraw(caseId(call), by(call), filingId(call), call.ifMatch()))
                .map(Reply.sentence("Document successfully withdrawn."));
    }

    private Future<Reply> approve(Call call) {
        return service.decide(new FilingCommand.Approve(caseId(call), by(call), filingId(call), call.ifMatch()))
                .map(Reply.sentence("Document successfully approved."));
    }

    private Future<Reply> reject(Call call) {
        return service.decide(new FilingCommand.Reject(caseId(call), by(call), filingId(call), call.ifMatch(), call.text("reason")))
                .map(Reply.sentence("Document successfully rejected."));
    }

    private Future<Reply> view(Call call) {
        return service.view(caseId(call), call.caller().id(), filingId(call)).map(FilingHandlers::reply);
    }

    private Future<Reply> list(Call call) {
        int limit = call.whole("limit", LIMIT_DEFAULT);
        long before = call.optionalText("cursor").map(FilingHandlers::cursor).orElse(Long.MAX_VALUE);
        // One more than asked for tells whether there is a next page.
        FilingRepository.Filter filter = new FilingRepository.Filter(
                call.text("state"), call.text("documentID"), call.text("partyID"), before, limit + 1);
        return service.list(caseId(call), call.caller().id(), filter).map(filings -> {
            List<Filing> page = filings.size() > limit ? filings.subList(0, limit) : filings;
            return Reply.json(json(page).put("nextCursor", filings.size() > limit ? String.valueOf(page.getLast().filingId()) : null));
        });
    }

    private Future<Reply> pendingApproval(Call call) {
        UUID caseId = call.optionalText("caseID")
                .map(text -> Identifiers.uuid(text).orElseThrow(FilingError.CASE_NOT_FOUND::refusal))
                .orElse(null);
        return service.pendingApproval(call.caller().id(), caseId).map(FilingHandlers::json).map(Reply::json);
    }

    private Future<Reply> check(Call call) {
        return service.check(caseId(call), call.caller().id(), filingId(call)).map(check -> Reply.json(new JsonObject()
                .put("allowed", check.problems().isEmpty())
                .put("problems", new JsonArray(check.problems()))
                .put("approvedBy", check.terms().approvedBy())
                .put("deadline", check.terms().deadline())));
    }

    private Future<Reply> receipt(Call call) {
        return service.receipt(caseId(call), call.caller().id(), filingId(call))
                .map(receipt -> Reply.json(new JsonObject().put("receipt", receipt)));
    }

    private static Reply reply(Filing filing) {
        return Reply.json(filing.json()).withRevision(filing.revision());
    }

    private static JsonObject json(List<Filing> filings) {
        return new JsonObject().put("filings", new JsonArray(filings.stream().map(Filing::json).toList()));
    }

    private static UUID caseId(Call call) {
        return Identifiers.uuid(call.text("caseID")).orElseThrow(FilingError.CASE_NOT_FOUND::refusal);
    }

    /** A text that is no filingID gives 0, which no filing has: existence is checked after the case and the caller's part. */
    private static long filingId(Call call) {
        return Identifiers.number(call.text("filingID")).orElse(0);
    }

    private static FilingCommand.By by(Call call) {
        return new FilingCommand.By(call.caller().id(), call.requestId(), call.remoteAddress(), call.trace());
    }

    /** An entry that no text can name is -1, which no entry has. */
    private static Long reference(Call call, String name) {
        String text = call.text(name);
        return text == null ? null : Long.valueOf(Identifiers.number(text).orElse(-1));
    }

    private static OptionalLong change(Call call, String name) {
        if (!call.body().containsKey(name)) {
            return OptionalLong.empty();
        }
        Long reference = reference(call, name);
        return OptionalLong.of(reference == null ? 0 : reference);
    }

    private static long cursor(String text) {
        return Identifiers.number(text).orElseThrow(() -> Refusal.badRequest("cursor: must be the nextCursor of a page before"));
    }
}
