package io.arbitration.mainapi.filings;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.Identifiers;
import io.arbitration.domain.UserId;
import io.arbitration.domain.filing.FilingCommand;
import io.arbitration.domain.filing.FilingCommand.ReferenceChange;
import io.arbitration.mainapi.filings.FilingReadRepository.PendingPlace;
import io.arbitration.mainapi.docket.SealTerms;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/** The operations under {@code /filings}. */
public final class FilingHandlers {

    private static final int LIMIT_DEFAULT = 50;
    /** The end of the year 9999. No filing was submitted later, and the database cannot store much later times. */
    private static final long MILLIS_MAX = 253_402_300_799_999L;

    private final FilingService service;
    private final FilingReadService reading;

    FilingHandlers(FilingService service, FilingReadService reading) {
        this.service = service;
        this.reading = reading;
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
                .bind("listFilingsPendingApproval", this::pendingApproval)
                .bind("checkDocument", this::check)
                .bind("issueFilingReceipt", this::receipt);
    }

    private Future<Reply> create(Call call) {
        return change(call, new FilingCommand.Create(caseId(call), userId(call), DocumentTypeId.of(call.text("documentID")),
                call.optionalName("title"), fields(call).orElse(Map.of()), reference(call, "supersedes"), reference(call, "parentEntryID"),
                Optional.ofNullable(call.body().getJsonObject("sealed")).map(SealTerms::of)));
    }

    private Future<Reply> update(Call call) {
        return change(call, new FilingCommand.Update(caseId(call), userId(call), filingId(call), call.ifMatch(), call.optionalName("title"),
                fields(call), referenceChange(call, "supersedes"), referenceChange(call, "parentEntryID")));
    }

    private Future<Reply> change(Call call, FilingCommand command) {
        return service.decide(command, call.requester())
                .map(filing -> Reply.json(FilingJson.of(filing)).withRevision(filing.document().revision()));
    }

    private Future<Reply> submit(Call call) {
        return decide(call, new FilingCommand.Submit(caseId(call), userId(call), filingId(call), call.ifMatch()), "Document successfully submitted.");
    }

    private Future<Reply> withdraw(Call call) {
        return decide(call, new FilingCommand.Withdraw(caseId(call), userId(call), filingId(call), call.ifMatch()), "Document successfully withdrawn.");
    }

    private Future<Reply> approve(Call call) {
        return decide(call, new FilingCommand.Approve(caseId(call), userId(call), filingId(call), call.ifMatch()), "Document successfully approved.");
    }

    private Future<Reply> reject(Call call) {
        return decide(call, new FilingCommand.Reject(caseId(call), userId(call), filingId(call), call.ifMatch(), call.text("reason")),
                "Document successfully rejected.");
    }

    private Future<Reply> decide(Call call, FilingCommand command, String sentence) {
        return service.decide(command, call.requester()).map(filing -> Reply.sentence(sentence).withRevision(filing.document().revision()));
    }

    private Future<Reply> view(Call call) {
        return reading.view(caseId(call), userId(call), filingId(call))
                .map(filing -> Reply.json(FilingJson.of(filing)).withRevision(filing.document().revision()));
    }

    private Future<Reply> list(Call call) {
        FilingReadRepository.Filter filter = new FilingReadRepository.Filter(
                call.optionalText("state"), call.optionalText("documentID"), call.optionalText("partyID"));
        long before = call.optionalText("cursor").map(cursor -> Identifiers.number(cursor).orElseThrow(FilingHandlers::badCursor)).orElse(Long.MAX_VALUE);
        return reading.list(caseId(call), userId(call), filter, before, call.integer("limit", LIMIT_DEFAULT)).map(page ->
                Reply.json(FilingJson.page(page, last -> String.valueOf(last.filingId()))));
    }

    private Future<Reply> pendingApproval(Call call) {
        Optional<CaseId> caseId = call.optionalText("caseID").map(text -> CaseId.of(text).orElseThrow(FilingError.CASE_NOT_FOUND::refusal));
        PendingPlace after = call.optionalText("cursor").map(FilingHandlers::pendingPlace).orElse(PendingPlace.FIRST);
        return reading.pendingApproval(userId(call), caseId, after, call.integer("limit", LIMIT_DEFAULT)).map(page ->
                Reply.json(FilingJson.page(page, FilingHandlers::pendingCursor)));
    }

    /** Time of submission in milliseconds since 1970, and filingID. */
    private static String pendingCursor(ListedFiling last) {
        return "%d-%d".formatted(last.submittedAt().orElseThrow().toEpochMilli(), last.filingId());
    }

    private static PendingPlace pendingPlace(String cursor) {
        int dash = cursor.indexOf('-');
        OptionalLong millis = Identifiers.number(cursor.substring(0, Math.max(dash, 0)));
        OptionalLong filingId = Identifiers.number(cursor.substring(dash + 1));
        if (millis.isEmpty() || millis.getAsLong() > MILLIS_MAX || filingId.isEmpty()) {
            throw badCursor();
        }
        return new PendingPlace(Instant.ofEpochMilli(millis.getAsLong()), filingId.getAsLong());
    }

    private static Refusal badCursor() {
        return Refusal.badRequest("cursor: must be the nextCursor of a page before");
    }

    private Future<Reply> check(Call call) {
        return reading.check(caseId(call), userId(call), filingId(call)).map(FilingJson::check).map(Reply::json);
    }

    private Future<Reply> receipt(Call call) {
        return reading.receipt(caseId(call), userId(call), filingId(call))
                .map(receipt -> Reply.json(new JsonObject().put("receipt", receipt)));
    }

    private static CaseId caseId(Call call) {
        return CaseId.of(call.text("caseID")).orElseThrow(FilingError.CASE_NOT_FOUND::refusal);
    }

    private static UserId userId(Call call) {
        return new UserId(call.caller().id());
    }

    /** A text that is no filingID becomes an id that no filing has, so that the case and the rights of the caller are checked first. */
    private static FilingId filingId(Call call) {
        return FilingId.of(call.text("filingID")).orElse(FilingId.OF_NOTHING);
    }

    /** The fields without those that are null: in every request, null means that the field is absent. */
    private static Optional<Map<String, Object>> fields(Call call) {
        return Optional.ofNullable(call.body().getJsonObject("fields")).map(given -> {
            Map<String, Object> fields = new LinkedHashMap<>(given.getMap());
            fields.values().removeIf(Objects::isNull);
            return fields;
        });
    }

    private static Optional<EntryId> reference(Call call, String name) {
        return call.optionalText(name).map(text -> EntryId.of(text).orElse(EntryId.OF_NOTHING));
    }

    /** A reference given as null is removed; one that is absent is kept. */
    private static ReferenceChange referenceChange(Call call, String name) {
        if (!call.body().containsKey(name)) {
            return new ReferenceChange.Keep();
        }
        return reference(call, name).<ReferenceChange>map(ReferenceChange.Set::new).orElseGet(ReferenceChange.Remove::new);
    }
}
