package io.arbitration.mainapi.notice;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.HearingId;
import io.arbitration.domain.docket.DocketEntry;
import io.arbitration.mainapi.docket.PaperEntry;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** What a notice serves. */
sealed interface Subject {

    /** A docket entry. */
    record Entry(PaperEntry paper) implements Subject {}

    /** A hearing, by its own dates. */
    record OfHearing(ServedHearing hearing) implements Subject {}

    /** The entry or hearing that a request names. */
    sealed interface Named {
        record Entry(EntryId entryId) implements Named {}

        record OfHearing(HearingId hearingId) implements Named {}
    }

    default Named named() {
        return switch (this) {
            case Entry(PaperEntry paper) -> new Named.Entry(paper.entry().entryId());
            case OfHearing(ServedHearing hearing) -> new Named.OfHearing(hearing.hearingId());
        };
    }

    default CaseId caseId() {
        return switch (this) {
            case Entry(PaperEntry paper) -> paper.entry().caseId();
            case OfHearing(ServedHearing hearing) -> hearing.caseId();
        };
    }

    default String caseTitle() {
        return switch (this) {
            case Entry(PaperEntry paper) -> paper.caseTitle();
            case OfHearing(ServedHearing hearing) -> hearing.caseTitle();
        };
    }

    default String title() {
        return switch (this) {
            case Entry(PaperEntry paper) -> paper.entry().title();
            case OfHearing(ServedHearing hearing) -> hearing.title();
        };
    }

    /** The file name of the PDF that is served. */
    default String fileName() {
        return switch (this) {
            case Entry(PaperEntry paper) -> "docket-entry-%d.pdf".formatted(paper.entry().number());
            case OfHearing hearing -> "hearing.pdf";
        };
    }

    /** The facts that identify it, for the letter. */
    default List<Letter.Detail> facts() {
        return switch (this) {
            case Entry(PaperEntry paper) -> List.of(
                    new Letter.Detail("Docket entry", "No. %d, entered %s".formatted(paper.entry().number(), Letter.MOMENT.format(paper.entry().enteredAt()))),
                    new Letter.Detail("SHA-256 of entry", paper.entry().hash()));
            case OfHearing(ServedHearing hearing) -> List.of(
                    new Letter.Detail("Hearing", hearing.when()),
                    new Letter.Detail("Hearing ID", hearing.hearingId().toString()),
                    new Letter.Detail("As of", "revision %d of %s".formatted(hearing.revision(), Letter.MOMENT.format(hearing.changed()))));
        };
    }

    /** The details of it in the letter, before those of the sender. */
    default List<Letter.Detail> details() {
        return switch (this) {
            case Entry entry -> List.of();
            case OfHearing(ServedHearing hearing) -> {
                List<Letter.Detail> details = new java.util.ArrayList<>(List.of(
                        new Letter.Detail("Begins", hearing.when()),
                        new Letter.Detail("Takes", "%d minutes".formatted(hearing.duration().toMinutes()))));
                hearing.place().ifPresent(place -> details.add(new Letter.Detail("Place", place)));
                hearing.link().ifPresent(link -> details.add(new Letter.Detail("Address of the video conference", link)));
                hearing.agenda().ifPresent(agenda -> details.add(new Letter.Detail("Agenda", agenda)));
                yield details;
            }
        };
    }

    /** The same for the template of the email and for proofs of service. */
    default JsonObject values() {
        return switch (this) {
            case Entry(PaperEntry paper) -> values(paper.entry());
            case OfHearing(ServedHearing hearing) -> new JsonObject().put("hearingID", hearing.hearingId().toString())
                    .put("hearingWhen", hearing.when()).put("hearingRevision", hearing.revision());
        };
    }

    private static JsonObject values(DocketEntry entry) {
        return new JsonObject().put("entryNumber", entry.number()).put("enteredAt", Letter.MOMENT.format(entry.enteredAt())).put("entryHash", entry.hash());
    }
}
