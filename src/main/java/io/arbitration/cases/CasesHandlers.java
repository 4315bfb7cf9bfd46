package io.arbitration.cases;

import io.arbitration.cases.definitions.DefinitionsJson;
import io.arbitration.domain.Identifiers;
import io.arbitration.domain.cases.Definitions;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.files.Streamed;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** The operations of the cases contract. */
final class CasesHandlers {

    private static final int PAGE_DEFAULT = 50;
    /** A case that is written to faster than this is exported at a quieter moment. */
    private static final int EXPORT_ATTEMPTS = 5;

    private final CasesService service;
    private final CaseJson json;
    private final CaseExport export;
    private final Reply schemas;
    private final Reply mailTypes;

    CasesHandlers(CasesService service, Definitions definitions, CaseJson json, CaseExport export) {
        this.export = export;
        this.service = service;
        this.json = json;
        this.schemas = Reply.json(DefinitionsJson.schemas(definitions));
        this.mailTypes = Reply.json(DefinitionsJson.mailTypes(definitions));
    }

    Contract bind(Contract contract) {
        return contract
                .bind("listSchemas", call -> Future.succeededFuture(schemas))
                .bind("listMailTypes", call -> Future.succeededFuture(mailTypes))
                .bind("createCase", this::create)
                .bind("viewCase", this::view)
                .bind("listCases", this::list)
                .bind("addParticipant", this::addParticipant)
                .bind("removeParticipant", this::removeParticipant)
                .bind("listParticipants", this::listParticipants)
                .bind("advancePhase", this::advance)
                .bind("closeCase", this::close)
                .bind("listActions", this::actions)
                .bind("listAudit", this::audit)
                .bindStream("exportCase", call -> export(call, EXPORT_ATTEMPTS));
    }

    private Future<Reply> create(Call call) {
        int days = call.whole("responseDeadlineDays", 0);
        NewCase wanted = new NewCase(
                notBlank(call, "title"), call.text("ruleSet"), days == 0 ? OptionalInt.empty() : OptionalInt.of(days),
                call.optionalText("organizationID"), call.optionalText("requestID"));
        return service.create(wanted, actor(call)).compose(this::shown);
    }

    private Future<Reply> view(Call call) {
        return service.view(call.text("caseID"), actor(call)).compose(this::shown);
    }

    private Future<Reply> list(Call call) {
        return service.list(call.caller().id(), call.optionalText("status"), call.optionalText("cursor").map(CaseCursor::parse),
                        call.whole("limit", PAGE_DEFAULT))
                .compose(page -> service.docketed(page.cases()).map(docketed -> Reply.json(json.page(page, docketed))));
    }

    private Future<Reply> addParticipant(Call call) {
        CasesService.Joining joining = new CasesService.Joining(
                call.text("userID"), call.text("partyID"), call.yes("isPrimary", false), call.yes("isObserver", false));
        if (joining.isPrimary() && joining.isObserver()) {
            throw Refusal.badRequest("isPrimary: an observer cannot be primary");
        }
        return service.addParticipant(call.text("caseID"), joining, call.ifMatch(), actor(call))
                .map(changed -> Reply.sentence("Participant added."));
    }

    private Future<Reply> removeParticipant(Call call) {
        return service.removeParticipant(
                        call.text("caseID"), call.text("userID"), call.optionalText("partyID"), call.ifMatch(), actor(call))
                .map(changed -> Reply.sentence("Participant removed."));
    }

    private Future<Reply> listParticipants(Call call) {
        return service.view(call.text("caseID"), actor(call)).map(seen -> Reply.json(json.participants(seen.participants())));
    }

    private Future<Reply> advance(Call call) {
        return service.advance(call.text("caseID"), call.optionalText("phaseID"), call.ifMatch(), actor(call)).compose(this::shown);
    }

    private Future<Reply> close(Call call) {
        return service.close(call.text("caseID"), notBlank(call, "reason"), call.ifMatch(), actor(call)).compose(this::shown);
    }

    private Future<Reply> actions(Call call) {
        return service.actions(call.text("caseID"), actor(call)).map(actions ->
                Reply.json(new JsonObject().put("actions", new JsonArray(actions.stream().map(Action::json).toList()))));
    }

    private Future<Reply> audit(Call call) {
        int limit = call.whole("limit", PAGE_DEFAULT);
        long before = call.optionalText("cursor").map(CasesHandlers::auditCursor).orElse(Long.MAX_VALUE);
        // One more than asked for tells whether there is a next page.
        return service.audit(call.text("caseID"), before, limit + 1, actor(call)).map(lines -> {
            List<AuditTrail.Entry> page = lines.size() > limit ? lines.subList(0, limit) : lines;
            return Reply.json(new JsonObject()
                    .put("entries", new JsonArray(page.stream().map(entry -> entry.line().json()).toList()))
                    .put("nextCursor", lines.size() > limit ? String.valueOf(page.getLast().auditId()) : null));
        });
    }

    private Future<Streamed> export(Call call, int attempts) {
        return service.exportOrder(call.text("caseID"), actor(call), this::rendered)
                .compose(export::begin)
                .recover(failure -> failure instanceof CaseExport.CaseMoved && attempts > 1
                        ? export(call, attempts - 1)
                        : Future.failedFuture(failure instanceof CaseExport.CaseMoved ? CasesError.EXPORT_MOVED.refusal().retryAfter(1) : failure));
    }

    private static long auditCursor(String text) {
        return Identifiers.number(text).orElseThrow(() -> Refusal.badRequest("cursor: must be the nextCursor of the page before"));
    }

    private Future<Reply> shown(Case shown) {
        return rendered(shown).map(body -> Reply.json(body).withRevision(shown.revision()));
    }

    private Future<Buffer> rendered(Case shown) {
        return service.docketed(List.of(shown)).map(docketed -> json.one(shown, docketed.getOrDefault(shown.caseId(), Map.of())));
    }

    private static String notBlank(Call call, String name) {
        String text = call.text(name);
        if (text.isBlank()) {
            throw Refusal.badRequest(name + ": must not be blank");
        }
        return text;
    }

    private static Actor actor(Call call) {
        return new Actor(call.caller().id(), call.caller().isSuperAdministrator(), call.requestId(), call.remoteAddress(), call.trace());
    }
}
