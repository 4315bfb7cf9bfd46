package io.arbitration.mainapi.docket;

import io.arbitration.domain.cases.Definitions;
import io.arbitration.domain.cases.DocumentType;
import io.arbitration.domain.cases.Field;
import io.arbitration.domain.cases.Section;
import io.arbitration.domain.docket.DocketEntry;
import io.arbitration.domain.filing.FiledFile;
import io.arbitration.domain.text.FieldType;
import io.arbitration.platform.paper.Paper;
import java.math.BigDecimal;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A docket entry as a PDF: its stamp, then the sections and fields of its document type in their order. */
public final class EntryPaper {

    private static final Paper.Look KIND = new Paper.Look(9, false, 0.35f);
    private static final Paper.Look TITLE = new Paper.Look(19, true, 0);
    private static final Paper.Look HEADING = new Paper.Look(12.5f, true, 0.1f);
    private static final Paper.Look LABEL = new Paper.Look(8.5f, true, 0.35f);
    private static final Paper.Look BODY = new Paper.Look(10.5f, false, 0);
    private static final Paper.Look STAMP = new Paper.Look(8.5f, false, 0.1f);
    private static final float[] FIELD_COLUMNS = {150, Paper.WIDTH - 150};
    private static final float[] STAMP_COLUMNS = {110, Paper.WIDTH - 110};
    /** A longer value is set below its label, across the whole width. */
    private static final int ROW_CHARACTERS_MAX = 160;
    private static final DateTimeFormatter MOMENT = DateTimeFormatter.ofPattern("d MMMM yyyy, HH:mm:ss.SSS 'UTC'", Locale.ENGLISH).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMMM yyyy", Locale.ENGLISH);
    private static final int HASH_SHOWN = 16;

    private final Definitions definitions;

    public EntryPaper(Definitions definitions) {
        this.definitions = definitions;
    }

    /** The PDF of an entry. */
    public byte[] render(PaperEntry of) {
        DocketEntry entry = of.entry();
        Optional<DocumentType> type = definitions.document(entry.documentTypeId());
        Paper paper = new Paper();
        of.number(of.supersededBy()).ifPresent(number ->
                paper.banner("Superseded by docket entry No. %d. This is not the current version.".formatted(number)).space(14));
        paper.text("Docket entry No. %d — %s".formatted(entry.number(), type.map(DocumentType::displayName).orElse(entry.documentTypeId().value())), KIND)
                .space(2).text(entry.title(), TITLE).space(6);
        stamp(paper, of);
        type.ifPresentOrElse(known -> sections(paper, known, entry.fields()), () -> rest(paper, entry.fields(), Set.of()));
        files(paper, of.files());
        String foot = "Case %s · No. %d · %s · SHA-256 %s…".formatted(
                entry.caseId(), entry.number(), DAY.format(entry.enteredAt().atZone(ZoneOffset.UTC)), entry.hash().substring(0, HASH_SHOWN));
        return paper.bytes("%s — docket entry No. %d".formatted(entry.title(), entry.number()), entry.enteredAt(),
                (page, pages) -> "%s · page %d of %d".formatted(foot, page, pages));
    }

    private void stamp(Paper paper, PaperEntry of) {
        DocketEntry entry = of.entry();
        paper.rule(0.4f).space(3);
        stampRow(paper, "Case", of.caseTitle());
        stampRow(paper, "Case ID", entry.caseId().toString());
        stampRow(paper, "Entered", MOMENT.format(entry.enteredAt()));
        stampRow(paper, "Filed by", definitions.partyName(entry.partyId()));
        stampRow(paper, "Phase", definitions.phaseName(entry.phaseId()));
        of.number(entry.supersedes()).ifPresent(number -> stampRow(paper, "Supersedes", "Docket entry No. " + number));
        of.number(entry.parentEntryId()).ifPresent(number -> stampRow(paper, "In reply to", "Docket entry No. " + number));
        stampRow(paper, "Entry, filing", "%s, %s".formatted(entry.entryId(), entry.filingId()));
        stampRow(paper, "SHA-256", entry.hash());
        stampRow(paper, "Previous", entry.previousHash());
        paper.space(10);
    }

    private static void stampRow(Paper paper, String label, String value) {
        paper.row(STAMP, STAMP_COLUMNS, label, value);
    }

    private static void sections(Paper paper, DocumentType type, Map<String, Object> fields) {
        for (Section section : type.sections().stream().sorted(Comparator.comparingInt(Section::sortOrder)).toList()) {
            List<Field> filled = section.fields().stream()
                    .filter(field -> !text(fields.get(field.id())).isBlank())
                    .sorted(Comparator.comparingInt(Field::sortOrder))
                    .toList();
            if (!filled.isEmpty()) {
                heading(paper, section.displayName());
                filled.forEach(field -> field(paper, field.displayName(), shown(field.type(), fields.get(field.id()))));
            }
        }
        rest(paper, fields, type.fields().map(Field::id).collect(Collectors.toSet()));
    }

    /** The fields of the entry that the current definition of the document type does not have. They are shown, too. */
    private static void rest(Paper paper, Map<String, Object> fields, Set<String> known) {
        List<String> others = new ArrayList<>(fields.keySet());
        others.removeAll(known);
        others.removeIf(id -> text(fields.get(id)).isBlank());
        if (!others.isEmpty()) {
            heading(paper, known.isEmpty() ? "Content" : "Further fields");
            others.stream().sorted().forEach(id -> field(paper, id, text(fields.get(id))));
        }
    }

    /** The files that were filed, each with its fingerprint. */
    private static void files(Paper paper, List<FiledFile> files) {
        if (files.isEmpty()) {
            return;
        }
        heading(paper, "Files");
        for (int i = 0; i < files.size(); i++) {
            FiledFile file = files.get(i);
            String pages = file.pages().map(count -> count == 1 ? "1 page, " : count + " pages, ").orElse("");
            paper.space(4).keep(48).text("%d. %s".formatted(i + 1, file.title()), BODY).space(1)
                    .text("%s, %s%s bytes".formatted(file.fileName(), pages, DecimalFormat.getIntegerInstance(Locale.ENGLISH).format(file.bytes())), STAMP)
                    .text("SHA-256 " + file.sha256(), STAMP).space(4);
        }
    }

    private static void heading(Paper paper, String text) {
        // A heading must not be the last line of a page.
        paper.space(14).keep(64).text(text, HEADING).space(4);
    }

    private static void field(Paper paper, String label, String value) {
        boolean isShort = value.length() <= ROW_CHARACTERS_MAX && value.indexOf('\n') < 0;
        if (isShort) {
            paper.row(BODY, FIELD_COLUMNS, label, value);
        } else {
            paper.space(4).keep(48).text(label, LABEL).space(2).text(value, BODY).space(6);
        }
    }

    private static String text(Object value) {
        return switch (value) {
            case null -> "";
            case BigDecimal exact -> exact.toPlainString();
            case Double real -> new BigDecimal(real.toString()).toPlainString();
            default -> value.toString();
        };
    }

    /** A value in a form for people, empty for none. The hash of the docket covers the value as it was filed. */
    public static String shown(FieldType type, Object filed) {
        String value = text(filed);
        return value.isBlank() ? "" : switch (type) {
            case BOOLEAN -> value.equals("true") ? "Yes" : "No";
            case CURRENCY -> amount(value);
            case DATE -> DAY.format(LocalDate.parse(value));
            case ADDRESS, CITY, DECIMAL, EMAIL, INTEGER, MONTH, PHONE, STATE, TEXT, TIME, URL, YEAR, ZIPCODE -> value;
        };
    }

    /** With separators of thousands; the decimals and the currency as they were filed. */
    private static String amount(String value) {
        String digits = value.replaceAll("[^0-9.-]", "");
        int decimals = digits.contains(".") ? digits.length() - digits.indexOf('.') - 1 : 0;
        DecimalFormat format = new DecimalFormat("#,##0", DecimalFormatSymbols.getInstance(Locale.ROOT));
        format.setMinimumFractionDigits(decimals);
        return value.replace(digits, format.format(new BigDecimal(digits)));
    }
}
