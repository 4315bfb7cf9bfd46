package io.arbitration.mainapi.export;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.cases.Definitions;
import io.arbitration.mainapi.export.ExportRepository.IndexLine;
import io.arbitration.platform.paper.Paper;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** The index of a docket as a PDF. */
final class IndexPaper {

    private static final Paper.Look KIND = new Paper.Look(9, false, 0.35f);
    private static final Paper.Look TITLE = new Paper.Look(17, true, 0);
    private static final Paper.Look HEAD = new Paper.Look(8, true, 0.3f);
    private static final Paper.Look ROW = new Paper.Look(8.5f, false, 0);
    private static final float[] COLUMNS = {34, 92, 74, Paper.WIDTH - 34 - 92 - 74 - 92, 92};
    private static final DateTimeFormatter MOMENT = DateTimeFormatter.ofPattern("d MMM yyyy, HH:mm 'UTC'", Locale.ENGLISH).withZone(ZoneOffset.UTC);
    private static final int HASH_SHOWN = 16;

    private final Definitions definitions;

    IndexPaper(Definitions definitions) {
        this.definitions = definitions;
    }

    /** @param lines of one part of the docket, in order */
    byte[] render(CaseId caseId, String caseTitle, Instant at, List<IndexLine> lines) {
        Paper paper = new Paper();
        paper.text("Index of the docket", KIND).space(2).text(caseTitle, TITLE).space(4)
                .text("Case %s, as of %s".formatted(caseId, MOMENT.format(at)), KIND).space(12)
                .row(HEAD, COLUMNS, "No.", "Entered", "Filed by", "Document", "SHA-256");
        if (lines.isEmpty()) {
            paper.space(8).text("Nothing has been entered.", ROW);
        }
        for (IndexLine line : lines) {
            String kind = definitions.documentName(line.documentId());
            String superseded = line.supersededBy().isEmpty() ? "" : " (superseded)";
            paper.row(ROW, COLUMNS, String.valueOf(line.number()), MOMENT.format(line.enteredAt()),
                    definitions.partyName(line.partyId()),
                    (line.title().equals(kind) ? kind : "%s: %s".formatted(kind, line.title())) + superseded,
                    line.hash().substring(0, HASH_SHOWN) + "…");
        }
        return paper.bytes("Index of the docket: " + caseTitle, at, (page, pages) -> "Case %s · page %d of %d".formatted(caseId, page, pages));
    }
}
