package io.arbitration.pdfs;

import io.arbitration.domain.hash.Sha256;
import io.arbitration.pdfs.template.Widget;
import io.arbitration.platform.paper.DocumentFonts;
import io.arbitration.platform.paper.PdfBuffer;
import io.arbitration.platform.paper.PdfFile;
import java.awt.color.ColorSpace;
import java.awt.color.ICC_Profile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A form as it is laid out from top to bottom on A4 pages: headings, sentences, and fields with their labels. Becomes a tagged
 * PDF/A-2b with an AcroForm. Lengths are points. The same calls make the same bytes on machines with the same fonts.
 */
final class FormSheet {

    private static final double WIDTH = 595.276;
    private static final double HEIGHT = 841.89;
    private static final double MARGIN = 56;
    private static final double ROOM = WIDTH - 2 * MARGIN;
    private static final double BOTTOM = MARGIN + 20;
    private static final double UNITS = 1000;
    private static final double LABEL = 7.5;
    private static final double BODY = 9.5;
    private static final double BOX = 19;
    private static final double GAP = 10;
    private static final double TICK = 11;
    private static final int MULTI_LINE = 1 << 12;
    private static final int RADIO = 1 << 15 | 1 << 14;
    private static final int COMBO = 1 << 17;
    private static final int COMB = 1 << 24;
    private static final String LOOK = "/DA(/Helv 9.5 Tf 0 g)";
    private static final String INK = "0.13 0.16 0.22 rg 0.13 0.16 0.22 RG ";
    private static final String QUIET = "0.36 0.4 0.47 rg 0.36 0.4 0.47 RG ";
    private static final String FRAME = "/MK<</BC[0.62 0.66 0.72]/BG[0.975 0.98 0.985]>>/BS<</W 0.6/S/S>>";

    private final PdfFile file = new PdfFile();
    private final DocumentFonts fonts = DocumentFonts.sparing("F");
    private final String documentId;
    private final String title;
    private final int catalog = file.reserve();
    private final int tree = file.reserve();
    private final int structure = file.reserve();
    private final int body = file.reserve();
    private final int resources = file.reserve();
    private final List<Page> pages = new ArrayList<>();
    private final List<Element> elements = new ArrayList<>();
    private final Map<String, Named> fields = new LinkedHashMap<>();
    private double y;

    private static final class Page {
        private final int number;
        private final PdfBuffer content = new PdfBuffer(4096);
        private final List<Integer> marks = new ArrayList<>();
        private final List<Integer> widgets = new ArrayList<>();

        Page(int number) {
            this.number = number;
        }
    }

    /** Of the structure: marked content of a page, or a widget, by its key among the parents. */
    private record Element(int number, String role, String title, int page, int mark, int widget, int key) {}

    /** @param entries of the field dictionary but for its name and its widgets */
    private record Named(int number, String entries, List<Integer> widgets) {}

    /** A cell of a row: its share of the width, and what it is. */
    record Cell(String name, String label, double share, String entries) {}

    FormSheet(String documentId, String title, String subtitle) {
        this.documentId = documentId;
        this.title = title;
        turn();
        paragraph("H1", title, 20, true, INK, MARGIN, ROOM, 1.25);
        paragraph("P", subtitle, BODY, false, QUIET, MARGIN, ROOM, 1.4);
        y -= 6;
        rule();
        y -= 8;
    }

    static Cell text(String name, String label, double share, int maxLength) {
        return new Cell(name, label, share, "/FT/Tx/MaxLen " + maxLength);
    }

    static Cell date(String name, String label, double share) {
        return new Cell(name, label, share, "/FT/Tx/ACPDateFormat(d MMMM yyyy)");
    }

    static Cell comb(String name, String label, double share, int cells) {
        return new Cell(name, label, share, "/FT/Tx/Ff " + COMB + "/MaxLen " + cells);
    }

    static Cell choice(String name, String label, double share, String... options) {
        StringBuilder all = new StringBuilder("/FT/Ch/Ff " + COMBO + "/Opt[");
        for (String option : options) {
            all.append('(').append(option).append(')');
        }
        return new Cell(name, label, share, all + "]");
    }

    private Page page() {
        return pages.getLast();
    }

    private void turn() {
        pages.add(new Page(file.reserve()));
        y = HEIGHT - MARGIN;
        if (pages.size() > 1) {
            // What the case is, once more: the same fields as on the first page.
            label(title, MARGIN, y - LABEL, ROOM * 0.3);
            place("caseTitle", MARGIN + ROOM * 0.3, y - 14, ROOM * 0.5 - GAP, 14, "/FT/Tx", "Case");
            place("caseNumber", MARGIN + ROOM * 0.8, y - 14, ROOM * 0.2, 14, "/FT/Tx", "Case number");
            y -= 28;
        }
    }

    private void keep(double height) {
        if (y - height < BOTTOM) {
            turn();
        }
    }

    FormSheet section(String heading) {
        keep(70);
        y -= 10;
        paragraph("H2", heading, 12, true, INK, MARGIN, ROOM, 1.35);
        y -= 4;
        return this;
    }

    FormSheet sentence(String text) {
        keep(30);
        paragraph("P", text, BODY, false, INK, MARGIN, ROOM, 1.4);
        y -= 4;
        return this;
    }

    FormSheet row(Cell... cells) {
        keep(BOX + LABEL + 12);
        double left = MARGIN;
        double free = ROOM - GAP * (cells.length - 1);
        double shares = Arrays.stream(cells).mapToDouble(Cell::share).sum();
        for (Cell cell : cells) {
            double width = free * cell.share / shares;
            label(cell.label, left, y - LABEL, width);
            place(cell.name, left, y - LABEL - 4 - BOX, width, BOX, cell.entries, cell.label);
            left += width + GAP;
        }
        y -= LABEL + 4 + BOX + 8;
        return this;
    }

    FormSheet lines(String name, String label, int maxLength, double height) {
        keep(height + LABEL + 12);
        label(label, MARGIN, y - LABEL, ROOM);
        place(name, MARGIN, y - LABEL - 4 - height, ROOM, height, "/FT/Tx/Ff " + MULTI_LINE + "/MaxLen " + maxLength, label);
        y -= LABEL + 4 + height + 8;
        return this;
    }

    FormSheet tick(String name, String sentence) {
        keep(26);
        button(name, MARGIN, y - TICK - 2, "Yes", "/FT/Btn", sentence, false);
        paragraph("P", sentence, BODY, false, INK, MARGIN + TICK + 7, ROOM - TICK - 7, 1.4);
        y -= 6;
        return this;
    }

    /** Radio buttons beside each other. @param states name and label of each */
    FormSheet choose(String name, String label, String... states) {
        keep(40);
        label(label, MARGIN, y - LABEL, ROOM);
        y -= LABEL + 5;
        double left = MARGIN;
        double top = y;
        for (int i = 0; i < states.length; i += 2) {
            button(name, left, top - TICK - 2, states[i], "/FT/Btn/Ff " + RADIO, label, true);
            y = top;
            double width = fonts.measured(states[i + 1]).width() * BODY / UNITS + 2;
            paragraph("P", states[i + 1], BODY, false, INK, left + TICK + 5, width, 1.4);
            left += TICK + 5 + width + 18;
        }
        y -= 8;
        return this;
    }

    FormSheet signature(String name, String label) {
        keep(64);
        place(name, MARGIN, y - 44, ROOM * 0.5, 44, "/FT/Sig", label);
        y -= 48;
        label(label, MARGIN, y - LABEL, ROOM);
        y -= LABEL + 8;
        return this;
    }

    private void rule() {
        page().content.text("/Artifact BMC 0.75 0.78 0.82 RG 0.6 w ").number(MARGIN, 2).number(y, 2).text("m ").number(MARGIN + ROOM, 2).number(y, 2)
                .text("l S EMC\n");
    }

    private void label(String text, double left, double baseline, double width) {
        double before = y;
        y = baseline + LABEL * 1.2;
        paragraph("P", text, LABEL, false, QUIET, left, width, 1.2);
        y = before;
    }

    private void paragraph(String role, String text, double size, boolean bold, String colour, double left, double width, double leading) {
        Page page = page();
        Element element = new Element(file.reserve(), role, "", pages.size() - 1, page.marks.size(), 0, 0);
        elements.add(element);
        page.marks.add(element.number);
        page.content.text("/").text(role).text("<</MCID ").whole(element.mark).text(">>BDC ").text(colour);
        for (DocumentFonts.Line line : fonts.lines(text, (float) (width * UNITS / size))) {
            y -= size * leading;
            fonts.draw(page.content, line, size, bold, left, y + size * (leading - 1) * 0.8);
        }
        page.content.text("EMC\n");
    }

    private PdfBuffer widget(String name, double left, double bottom, double width, double height, String entries, String label) {
        Named field = fields.computeIfAbsent(name, unknown -> new Named(file.reserve(), entries + "/TU" + hex(label), new ArrayList<>()));
        int number = file.reserve();
        int key = 1000 + elements.size();
        elements.add(new Element(file.reserve(), "Form", label, pages.size() - 1, -1, number, key));
        page().widgets.add(number);
        field.widgets.add(number);
        return file.begin(number).text("<</Type/Annot/Subtype/Widget/F 4/Parent ").whole(field.number).text(" 0 R/P ").whole(page().number)
                .text(" 0 R/StructParent ").whole(key).text("/Rect[").number(left, 2).number(bottom, 2).number(left + width, 2).number(bottom + height, 2).text("]");
    }

    private void place(String name, double left, double bottom, double width, double height, String entries, String label) {
        int appearance = file.reserve();
        boolean signature = entries.contains("/Sig");
        widget(name, left, bottom, width, height, entries, label).text(signature ? "" : LOOK + FRAME).text("/AP<</N ").whole(appearance).text(" 0 R>>>>");
        file.end();
        PdfBuffer drawn = new PdfBuffer(128);
        if (signature) {
            drawn.text("0.62 0.66 0.72 RG 0.6 w 0 1 m ").number(width, 2).text("1 l S");
        } else {
            drawn.text("0.975 0.98 0.985 rg 0.62 0.66 0.72 RG 0.6 w 0.3 0.3 ").number(width - 0.6, 2).number(height - 0.6, 2).text("re B");
        }
        file.stream(appearance, picture(width, height), drawn);
    }

    private static String picture(double width, double height) {
        return new String(new PdfBuffer(64).text("/Type/XObject/Subtype/Form/Resources<<>>/BBox[0 0 ").number(width, 2).number(height, 2).text("]").toBytes(),
                java.nio.charset.StandardCharsets.US_ASCII);
    }

    private void button(String name, double left, double bottom, String state, String entries, String label, boolean round) {
        int on = file.reserve();
        int off = file.reserve();
        widget(name, left, bottom, TICK, TICK, entries, label).text("/AS/Off/AP<</N<</").text(state).text(" ").whole(on).text(" 0 R/Off ").whole(off)
                .text(" 0 R>>>>>>");
        file.end();
        String frame = "0.4 0.44 0.5 RG 1 g 0.7 w " + (round
                ? "10.4 5.5 m 10.4 8.2 8.2 10.4 5.5 10.4 c 2.8 10.4 0.6 8.2 0.6 5.5 c 0.6 2.8 2.8 0.6 5.5 0.6 c 8.2 0.6 10.4 2.8 10.4 5.5 c b "
                : "0.6 0.6 9.8 9.8 re B ");
        String sign = round
                ? "0.1 0.14 0.22 rg 8.3 5.5 m 8.3 7 7 8.3 5.5 8.3 c 4 8.3 2.7 7 2.7 5.5 c 2.7 4 4 2.7 5.5 2.7 c 7 2.7 8.3 4 8.3 5.5 c f"
                : "0.1 0.14 0.22 RG 1.5 w 1 J 1 j 2.6 5.6 m 4.7 3.2 l 8.6 8.2 l S";
        file.stream(on, picture(TICK, TICK), new PdfBuffer(256).text(frame + sign));
        file.stream(off, picture(TICK, TICK), new PdfBuffer(256).text(frame));
    }

    private static String hex(String text) {
        return new String(new PdfBuffer(64).hexString(PdfFile.textString(text)).toBytes(), java.nio.charset.StandardCharsets.US_ASCII);
    }

    /** The finished form. */
    byte[] bytes() {
        for (int i = 0; i < pages.size(); i++) {
            PdfBuffer content = pages.get(i).content;
            content.text("/Artifact BMC ").text(QUIET);
            fonts.draw(content, fonts.lines("%s · page %d of %d".formatted(title, i + 1, pages.size()), Float.MAX_VALUE).getFirst(), LABEL, false, MARGIN, MARGIN - 10);
            content.text("EMC\n");
        }
        for (int i = 0; i < pages.size(); i++) {
            write(pages.get(i), i);
        }
        PdfBuffer names = new PdfBuffer(64);
        fonts.write(file).forEach(font -> names.text("/").text(font.name()).text(" ").whole(font.number()).text(" 0 R"));
        file.begin(resources).text("<</Font<<").append(names).text(">>>>");
        file.end();
        PdfBuffer kids = file.begin(tree).text("<</Type/Pages/Count ").whole(pages.size()).text("/Kids[");
        pages.forEach(page -> kids.whole(page.number).text(" 0 R "));
        kids.text("]>>");
        file.end();
        structure();
        int form = form();
        int information = file.reserve();
        file.begin(information).text("<</Title").text(hex(title)).text("/Producer(Arbitration Case Platform)>>");
        file.end();
        int metadata = metadata();
        int profile = profile();
        file.begin(catalog).text("<</Type/Catalog/Lang(en)/MarkInfo<</Marked true>>/ViewerPreferences<</DisplayDocTitle true>>/Pages ").whole(tree)
                .text(" 0 R/StructTreeRoot ").whole(structure).text(" 0 R/AcroForm ").whole(form).text(" 0 R/Metadata ").whole(metadata)
                .text(" 0 R/OutputIntents[<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier(sRGB)/Info(sRGB)/DestOutputProfile ").whole(profile)
                .text(" 0 R>>]>>");
        file.end();
        byte[] id = Arrays.copyOf(Sha256.of(documentId + title), 16);
        return file.finish(catalog, information, id, id);
    }

    private void write(Page page, int number) {
        int content = file.reserve();
        file.stream(content, "", page.content);
        PdfBuffer out = file.begin(page.number).text("<</Type/Page/Parent ").whole(tree).text(" 0 R/MediaBox[0 0 595.276 841.89]/Tabs/S/StructParents ").whole(number)
                .text("/Resources ").whole(resources).text(" 0 R/Contents ").whole(content).text(" 0 R/Annots[");
        page.widgets.forEach(widget -> out.whole(widget).text(" 0 R "));
        out.text("]>>");
        file.end();
    }

    private void structure() {
        for (Element element : elements) {
            PdfBuffer out = file.begin(element.number).text("<</Type/StructElem/S/").text(element.role).text("/P ").whole(body).text(" 0 R/Pg ")
                    .whole(pages.get(element.page).number).text(" 0 R/K ");
            if (element.mark >= 0) {
                out.whole(element.mark);
            } else {
                out.text("<</Type/OBJR/Obj ").whole(element.widget).text(" 0 R/Pg ").whole(pages.get(element.page).number).text(" 0 R>>/T").text(hex(element.title));
            }
            out.text(">>");
            file.end();
        }
        PdfBuffer whole = file.begin(body).text("<</Type/StructElem/S/Document/P ").whole(structure).text(" 0 R/K[");
        elements.forEach(element -> whole.whole(element.number).text(" 0 R "));
        whole.text("]>>");
        file.end();
        PdfBuffer parents = file.begin(structure).text("<</Type/StructTreeRoot/K ").whole(body).text(" 0 R/ParentTree<</Nums[");
        for (int i = 0; i < pages.size(); i++) {
            parents.whole(i).text("[");
            pages.get(i).marks.forEach(mark -> parents.whole(mark).text(" 0 R "));
            parents.text("]");
        }
        elements.stream().filter(element -> element.mark < 0).forEach(element -> parents.whole(element.key).text(" ").whole(element.number).text(" 0 R "));
        parents.text("]>>>>");
        file.end();
    }

    private int form() {
        fields.forEach((name, field) -> {
            PdfBuffer out = file.begin(field.number).text("<</T").text(hex(name)).text(field.entries).text("/Kids[");
            field.widgets.forEach(widget -> out.whole(widget).text(" 0 R "));
            out.text("]>>");
            file.end();
        });
        int form = file.reserve();
        PdfBuffer out = file.begin(form).text("<</DA(/Helv 9.5 Tf 0 g)/DR<</Font<</Helv<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>>>>>/Fields[");
        fields.values().forEach(field -> out.whole(field.number).text(" 0 R "));
        out.text("]>>");
        file.end();
        return form;
    }

    private int metadata() {
        String packet = """
                <?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
                <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
                <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
                <pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance><pdf:Producer>Arbitration Case Platform</pdf:Producer>
                <dc:title><rdf:Alt><rdf:li xml:lang="x-default">%s</rdf:li></rdf:Alt></dc:title>
                </rdf:Description></rdf:RDF></x:xmpmeta>
                <?xpacket end="w"?>
                """.formatted(title);
        int number = file.reserve();
        // Not compressed, so that programs find it without reading PDF (ISO 19005-2, section 6.6.2.1).
        file.encoded(number, "/Type/Metadata/Subtype/XML".getBytes(StandardCharsets.UTF_8), packet.getBytes(StandardCharsets.UTF_8));
        return number;
    }

    private int profile() {
        int number = file.reserve();
        file.stream(number, "/N 3", ICC_Profile.getInstance(ColorSpace.CS_sRGB).getData());
        return number;
    }
}
