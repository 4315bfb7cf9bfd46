package io.arbitration.mainapi.docket;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.Identifiers;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.listing.PageByTime;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;

/** The operations under {@code /docket}. */
public final class DocketHandlers {

    private final DocketService service;
    private final SealService seals;
    private final RecentEntries recent;

    public DocketHandlers(DocketService service, SealService seals, RecentEntries recent) {
        this.service = service;
        this.seals = seals;
        this.recent = recent;
    }

    public void bind(Contract contract) {
        contract.bind("listDocketEntries", this::list)
                .bind("listRecentEntries", this::recent)
                .bind("viewDocketEntry", this::view)
                .bind("renderDocketEntry", this::render)
                .bind("verifyDocket", this::verify)
                .bind("sealDocketEntry", this::seal)
                .bind("unsealDocketEntry", this::unseal);
    }

    private Future<Reply> list(Call call) {
        UUID caseId = Identifiers.uuid(call.text("caseID")).orElseThrow(DocketError.LIST_CASE_NOT_FOUND::refusal);
        UUID userId = call.caller().id();
        boolean hasDetails = call.flag("details", false);
        boolean whole = !call.hasAny("documentID", "partyID", "phaseID", "afterEntryID", "limit") && !hasDetails;
        if (whole) {
            return service.list(caseId, userId).map(Reply::sharedJson);
        }
        // A text that is no entryID gives 0, which no entry has.
        OptionalLong afterEntryId = call.optionalText("afterEntryID").map(id -> OptionalLong.of(Identifiers.number(id).orElse(0)))
                .orElseGet(OptionalLong::empty);
        DocketListRepository.Filter filter = new DocketListRepository.Filter(call.optionalText("documentID"), call.optionalText("partyID"), call.optionalText("phaseID"), hasDetails);
        return service.filtered(caseId, userId, afterEntryId, filter, call.integer("limit", Integer.MAX_VALUE)).map(Reply::json);
    }

    private Future<Reply> recent(Call call) {
        return recent.page(call.time("since"), PageByTime.Wanted.newestFirst(call), call.requester()).map(page -> page.reply("entries", RecentEntries::json));
    }

    private Future<Reply> view(Call call) {
        UUID caseId = Identifiers.uuid(call.text("caseID")).orElseThrow(DocketError.CASE_NOT_FOUND::refusal);
        return service.view(caseId, call.caller().id(), Identifiers.number(call.text("entryID")).orElse(0))
                .map(viewed -> Reply.json(EntryJson.view(viewed)));
    }

    private Future<Reply> render(Call call) {
        UUID caseId = Identifiers.uuid(call.text("caseID")).orElseThrow(DocketError.CASE_NOT_FOUND::refusal);
        long entryId = Identifiers.number(call.text("entryID")).orElse(0);
        return service.render(caseId, call.caller().id(), entryId).map(pdf ->
                new Reply(200, "application/pdf", pdf, Map.of("Content-Disposition", "inline; filename=\"docket-entry-%d.pdf\"".formatted(entryId))));
    }

    private Future<Reply> seal(Call call) {
        return seals.seal(subject(call), SealTerms.of(call.body()), call.ifMatch(), call.requester())
                .map(revision -> Reply.sentence("Entry sealed.").withRevision(revision));
    }

    private Future<Reply> unseal(Call call) {
        return seals.unseal(subject(call), call.text("reason"), call.ifMatch(), call.requester())
                .map(revision -> Reply.sentence("Entry unsealed.").withRevision(revision));
    }

    private static SealRepository.Entry subject(Call call) {
        CaseId caseId = CaseId.of(call.text("caseID")).orElseThrow(DocketError.CASE_NOT_FOUND::refusal);
        return new SealRepository.Entry(caseId, EntryId.of(call.text("entryID")).orElse(EntryId.OF_NOTHING));
    }

    private Future<Reply> verify(Call call) {
        UUID caseId = Identifiers.uuid(call.text("caseID")).orElseThrow(DocketError.CASE_NOT_FOUND::refusal);
        return service.verify(caseId, call.caller().id()).map(report -> Reply.json(EntryJson.report(report)));
    }
}
