package io.arbitration.mainapi.notice;

import io.arbitration.platform.paper.Paper;
import java.time.Instant;

/** Typesets a hearing: when and where it is held, and what is on. CPU-bound. */
final class HearingPaper {

    private static final Paper.Look KIND = new Paper.Look(9, false, 0.35f);
    private static final Paper.Look TITLE = new Paper.Look(19, true, 0);
    private static final Paper.Look HEADING = new Paper.Look(12.5f, true, 0.1f);
    private static final Paper.Look BODY = new Paper.Look(10.5f, false, 0);
    private static final float[] COLUMNS = {130, Paper.WIDTH - 130};

    private HearingPaper() {}

    /** @param made when the notice is served */
    static byte[] pdf(ServedHearing hearing, Instant made) {
        Paper paper = new Paper();
        paper.text("Hearing", KIND).space(2).text(hearing.title(), TITLE).space(6);
        paper.rule(0.4f).space(3);
        row(paper, "Case", hearing.caseTitle());
        row(paper, "Case ID", hearing.caseId().toString());
        row(paper, "Hearing ID", hearing.hearingId().toString());
        row(paper, "Begins", hearing.when());
        row(paper, "In UTC", Letter.MOMENT.format(hearing.start()));
        row(paper, "Takes", "%d minutes".formatted(hearing.duration().toMinutes()));
        hearing.place().ifPresent(place -> row(paper, "Place", place));
        hearing.link().ifPresent(link -> row(paper, "Address", link));
        row(paper, "As of", "revision %d of %s".formatted(hearing.revision(), Letter.MOMENT.format(hearing.changed())));
        hearing.agenda().ifPresent(agenda -> paper.space(14).keep(48).text("Agenda", HEADING).space(4).text(agenda, BODY));
        return paper.bytes("%s — %s".formatted(hearing.title(), hearing.caseTitle()), made,
                (page, pages) -> "Case %s · hearing %s · page %d of %d".formatted(hearing.caseId(), hearing.hearingId(), page, pages));
    }

    private static void row(Paper paper, String label, String value) {
        paper.row(BODY, COLUMNS, label, value);
    }
}
