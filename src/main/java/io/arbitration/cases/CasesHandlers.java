package io.arbitration.cases;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.Identifiers;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.CaseCommand;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.answer.TimeCursor;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.files.Streamed;
import io.arbitration.platform.listing.PageByKey;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The operations of the cases contract. */
final class CasesHandlers {

    private static final int PAGE_DEFAULT = 50;

    private final CasesService service;
    private final ExportService exports;
    private final CaseJson json;

    CasesHandlers(CasesService service, ExportService exports, CaseJson json) {
        this.service = service;
        this.exports = exports;
        this.json = json;
    }

    Contract bind(Contract contract) {
        return contract
                .bind("createCase", this::create)
                .bind("viewCase", this::view)
                .bind("listCases", this::list)
                .bind("addParticipant", this::addParticipant)
                .bind("removeParticipant", this::removeParticipant)
                .bind("restrictParticipant", this::restrictParticipant)
                .bind("listParticipants", this::listParticipants)
                .bind("advancePhase", this::advance)
                .bind("closeCase", this::close)
                .bind("listCaseActions", this::actions)
                .bind("listAuditEntries", this::audit)
                .bindStream("exportCase", this::export);
    }

    private Future<Reply> create(Call call) {
        int days = call.integer("responseDeadlineDays", 0);
        NewCase wanted = new NewCase(
                call.name("title"), call.text("ruleSet"), days == 0 ? OptionalInt.empty() : OptionalInt.of(days), call.optionalText("seat"),
                OrganizationChoice.of(call), call.optionalText("requestID"), call.flag("sandbox", false));
        return service.create(wanted, call.requester()).map(this::shown);
    }

    private Future<Reply> view(Call call) {
        return service.view(caseId(call), call.requester()).map(this::shown);
    }

    private Future<Reply> list(Call call) {
        return service.list(call.requester(), call.flag("withoutCaseManager", false), call.optionalText("status"), call.optionalText("cursor").map(TimeCursor::parse),
                        call.integer("limit", PAGE_DEFAULT), CaseJson.PAGE_BYTES_MAX, json::bytesMax)
                .map(page -> Reply.json(json.page(page)));
    }

    private Future<Reply> addParticipant(Call call) {
        CaseCommand add = new CaseCommand.AddParticipant(
                UserId.of(call.text("userID")), call.text("partyID"), call.flag("isPrimary", false), call.flag("isObserver", false));
        if (call.flag("isPrimary", false) && call.flag("isObserver", false)) {
            throw Refusal.badRequest("isPrimary: an observer cannot be primary");
        }
        return change(call, add).map(changed -> Reply.sentence("Participant added.").withRevision(changed.of().revision()));
    }

    private Future<Reply> removeParticipant(Call call) {
        return change(call, new CaseCommand.RemoveParticipant(UserId.of(call.text("userID")), call.optionalText("partyID")))
                .map(changed -> Reply.sentence("Participant removed.").withRevision(changed.of().revision()));
    }

    private Future<Reply> restrictParticipant(Call call) {
        boolean mayFile = call.flag("mayFile", true);
        return change(call, new CaseCommand.Restrict(UserId.of(call.text("userID")), mayFile)).map(changed ->
                Reply.sentence(mayFile ? "Participant may file." : "Participant restricted.").withRevision(changed.of().revision()));
    }

    private Future<Reply> listParticipants(Call call) {
        PageByKey.Wanted wanted = PageByKey.Wanted.of(call);
        return service.participants(caseId(call), call.requester()).map(participants ->
                Reply.json(json.participants(wanted.page(participants, participant -> participant.userId().toString()))));
    }

    private Future<Reply> advance(Call call) {
        return change(call, new CaseCommand.Advance(call.optionalText("phaseID"))).map(this::shown);
    }

    private Future<Reply> close(Call call) {
        return change(call, new CaseCommand.Close(call.textNotBlank("reason"))).map(this::shown);
    }

    private Future<Reply> actions(Call call) {
        return service.actions(caseId(call), call.requester()).map(actions -> Reply.json(CaseJson.actions(actions)));
    }

    private Future<Reply> audit(Call call) {
        int limit = call.integer("limit", PAGE_DEFAULT);
        long before = call.optionalText("cursor").map(CasesHandlers::auditCursor).orElse(Long.MAX_VALUE);
        // One line more than the limit shows whether there is a next page.
        return service.audit(caseId(call), before, limit + 1, call.requester()).map(lines -> {
            List<AuditTrail.Entry> page = lines.size() > limit ? lines.subList(0, limit) : lines;
            return Reply.json(CaseJson.audit(page, lines.size() > limit ? Optional.of(page.getLast().auditId()) : Optional.empty()));
        });
    }

    private Future<Streamed> export(Call call) {
        return exports.export(caseId(call), call.requester());
    }

    private Future<CaseView> change(Call call, CaseCommand command) {
        return service.change(caseId(call), command, OrganizationChoice.of(call), call.ifMatch(), call.requester());
    }

    private Reply shown(CaseView shown) {
        return Reply.json(json.one(shown)).withRevision(shown.of().revision());
    }

    /** Empty for a text that is no UUID: it names no case. */
    private static Optional<CaseId> caseId(Call call) {
        return CaseId.of(call.text("caseID"));
    }

    private static long auditCursor(String text) {
        return Identifiers.number(text).orElseThrow(() -> Refusal.badRequest("cursor: must be the nextCursor of the page before"));
    }
}
