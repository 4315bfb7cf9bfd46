package io.arbitration.pdfs.template;

import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSBase;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSStream;
import org.apache.pdfbox.cos.COSString;

/**
 * Reads the form of a template (ISO 32000-1, section 12.7): its fields, and where and how their values are shown. Draws the parts
 * that are the same in every filled form on the pages, and removes the widgets, except those of signatures.
 */
final class FormReader {

    private static final int DEPTH_MAX = 32;
    private static final int FIELDS_MAX = 2000;
    private static final int WIDGETS_MAX = 5000;
    private static final int NAME_MAX = 500;
    private static final int OPTIONS_MAX = 2000;
    private static final int INITIAL_MAX = 20_000;
    private static final int MAX_LENGTH_MAX = 1_000_000;
    private static final int MULTI_LINE = 1 << 12;
    private static final int PASSWORD = 1 << 13;
    private static final int RADIO = 1 << 15;
    private static final int PUSH_BUTTON = 1 << 16;
    private static final int EDITABLE = 1 << 18;
    private static final int SEVERAL = 1 << 21;
    private static final int COMB = 1 << 24;
    private static final COSName MAX_LEN = COSName.getPDFName("MaxLen");
    /** Our own entry: the format of a date, as a {@link DateTimeFormatter} pattern; the value is then a date, yyyy-MM-dd. */
    static final COSName DATE_FORMAT = COSName.getPDFName("ACPDateFormat");
    private static final LocalDate SOME_DAY = LocalDate.of(2026, 11, 21);

    private final COSDictionary form;
    private final List<PageCanvas> pages;
    private final StructureTree structure;
    /** Widgets on pages, with the number of the page. */
    private final Map<COSDictionary, Integer> places = new IdentityHashMap<>();
    private final Set<COSDictionary> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<String, List<Terminal>> terminals = new LinkedHashMap<>();
    private int widgets;

    /** A field without child fields: its attributes, including inherited ones, and its widgets. */
    private record Terminal(COSDictionary attributes, List<COSDictionary> widgets) {}

    FormReader(COSDictionary form, List<PageCanvas> pages, StructureTree structure) throws RefusedTemplate {
        if (form == null) {
            throw new RefusedTemplate("has no form");
        }
        this.form = form;
        this.pages = pages;
        this.structure = structure;
    }

    Map<String, FormField> read() throws IOException, RefusedTemplate {
        findWidgets();
        COSDictionary inherited = new COSDictionary();
        for (COSName name : List.of(COSName.DA, COSName.Q)) {
            if (form.containsKey(name)) {
                inherited.setItem(name, form.getItem(name));
            }
        }
        COSArray roots = form.getCOSArray(COSName.FIELDS);
        for (int i = 0; roots != null && i < roots.size(); i++) {
            if (roots.getObject(i) instanceof COSDictionary root) {
                collect(root, "", inherited, 0);
            }
        }
        Map<String, FormField> fields = new LinkedHashMap<>();
        for (Map.Entry<String, List<Terminal>> entry : terminals.entrySet()) {
            FormField field = field(entry.getKey(), entry.getValue());
            if (field != null && !field.name().isEmpty()) {
                fields.put(field.name(), field);
            }
        }
        removeWidgets();
        return fields;
    }

    private void findWidgets() {
        for (int page = 0; page < pages.size(); page++) {
            COSArray annotations = pages.get(page).page().getCOSArray(COSName.ANNOTS);
            for (int i = 0; annotations != null && i < annotations.size(); i++) {
                if (annotations.getObject(i) instanceof COSDictionary annotation && isWidget(annotation)) {
                    places.putIfAbsent(annotation, page);
                }
            }
        }
    }

    private static boolean isWidget(COSDictionary annotation) {
        return "Widget".equals(annotation.getNameAsString(COSName.SUBTYPE));
    }

    private void collect(COSDictionary node, String parent, COSDictionary above, int depth) throws RefusedTemplate {
        if (!seen.add(node) || depth > DEPTH_MAX) {
            throw new RefusedTemplate("has fields that contain each other");
        }
        String partial = node.getString(COSName.T, "");
        String name = partial.isEmpty() ? parent : parent.isEmpty() ? partial : parent + "." + partial;
        if (name.length() > NAME_MAX) {
            throw new RefusedTemplate("has a field with a name of more than %d characters".formatted(NAME_MAX));
        }
        COSDictionary attributes = new COSDictionary(above);
        for (COSName inherited : List.of(COSName.FT, COSName.FF, COSName.V, COSName.DA, COSName.Q, COSName.OPT, MAX_LEN, COSName.TU, DATE_FORMAT)) {
            if (node.containsKey(inherited)) {
                attributes.setItem(inherited, node.getItem(inherited));
            }
        }
        COSArray kids = node.getCOSArray(COSName.KIDS);
        List<COSDictionary> ofField = new ArrayList<>();
        boolean hasFields = false;
        for (int i = 0; kids != null && i < kids.size(); i++) {
            if (kids.getObject(i) instanceof COSDictionary kid) {
                if (kid.containsKey(COSName.T)) {
                    hasFields = true;
                    collect(kid, name, attributes, depth + 1);
                } else {
                    ofField.add(kid);
                }
            }
        }
        if (hasFields) {
            return;
        }
        if (kids == null) {
            ofField.add(node);
        }
        widgets += ofField.size();
        List<Terminal> sameName = terminals.computeIfAbsent(name, unknown -> new ArrayList<>(1));
        sameName.add(new Terminal(attributes, ofField));
        if (terminals.size() > FIELDS_MAX || widgets > WIDGETS_MAX) {
            throw new RefusedTemplate("has more than %d fields or %d places for them".formatted(FIELDS_MAX, WIDGETS_MAX));
        }
    }

    /** Null for a field that takes no value: push buttons, signatures. */
    private FormField field(String name, List<Terminal> terminals) throws IOException, RefusedTemplate {
        COSDictionary attributes = terminals.getFirst().attributes;
        int flags = attributes.getInt(COSName.FF, 0);
        String kind = attributes.getNameAsString(COSName.FT);
        String label = label(attributes, name);
        return switch (kind == null ? "" : kind) {
            case "Tx" -> text(name, label, terminals, attributes, flags);
            case "Ch" -> choice(name, label, terminals, attributes, flags);
            case "Btn" -> {
                if ((flags & PUSH_BUTTON) != 0) {
                    drawAsTheyAre(terminals);
                    yield null;
                }
                yield toggle(name, label, terminals, attributes, flags);
            }
            case "Sig" -> {
                if (attributes.containsKey(COSName.V)) {
                    throw new RefusedTemplate("is signed");
                }
                yield null;
            }
            default -> throw new RefusedTemplate("has a field %s of no known kind".formatted(name));
        };
    }

    private static String label(COSDictionary attributes, String name) {
        String described = attributes.getString(COSName.TU, "").strip();
        return described.isEmpty() || described.length() > NAME_MAX ? name : described;
    }

    private FormField text(String name, String label, List<Terminal> terminals, COSDictionary attributes, int flags) throws IOException, RefusedTemplate {
        int most = attributes.getInt(MAX_LEN, 0);
        OptionalInt maxLength = most > 0 && most <= MAX_LENGTH_MAX ? OptionalInt.of(most) : OptionalInt.empty();
        boolean multiLine = (flags & MULTI_LINE) != 0;
        boolean comb = (flags & COMB) != 0 && maxLength.isPresent() && !multiLine && (flags & PASSWORD) == 0;
        return new FormField.Text(name, label, initial(attributes), textPlaces(terminals, comb ? maxLength.getAsInt() : 0), multiLine, comb,
                (flags & PASSWORD) != 0, maxLength, date(attributes));
    }

    private static Optional<DateTimeFormatter> date(COSDictionary attributes) throws RefusedTemplate {
        String pattern = attributes.getString(DATE_FORMAT);
        if (pattern == null) {
            return Optional.empty();
        }
        try {
            DateTimeFormatter format = DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH);
            format.format(SOME_DAY);
            return Optional.of(format);
        } catch (IllegalArgumentException | DateTimeException wrong) {
            throw new RefusedTemplate("has a date format that is none: " + wrong.getMessage());
        }
    }

    private FormField choice(String name, String label, List<Terminal> terminals, COSDictionary attributes, int flags) throws IOException, RefusedTemplate {
        Map<String, String> options = new LinkedHashMap<>();
        COSArray array = attributes.getCOSArray(COSName.OPT);
        for (int i = 0; array != null && i < array.size() && i < OPTIONS_MAX; i++) {
            COSBase option = array.getObject(i);
            if (option instanceof COSArray pair && pair.size() == 2) {
                options.put(string(pair.getObject(0)), string(pair.getObject(1)));
            } else {
                options.put(string(option), string(option));
            }
        }
        return new FormField.Choice(name, label, initial(attributes), textPlaces(terminals, 0), Collections.unmodifiableMap(options),
                (flags & EDITABLE) != 0, (flags & SEVERAL) != 0);
    }

    private FormField toggle(String name, String label, List<Terminal> terminals, COSDictionary attributes, int flags) throws IOException, RefusedTemplate {
        boolean radio = (flags & RADIO) != 0;
        List<FormField.Button> buttons = new ArrayList<>();
        Map<String, String> exports = new LinkedHashMap<>();
        COSArray options = attributes.getCOSArray(COSName.OPT);
        for (Terminal terminal : terminals) {
            for (COSDictionary widget : terminal.widgets) {
                FormField.Button button = button(widget, radio);
                if (options != null && buttons.size() < options.size() && button.on() != null) {
                    exports.putIfAbsent(string(options.getObject(buttons.size())), button.on());
                }
                buttons.add(button);
            }
        }
        if (buttons.stream().allMatch(button -> button.on() == null)) {
            throw new RefusedTemplate("has a button %s without a state that is on".formatted(name));
        }
        String initial = initial(attributes);
        return new FormField.Toggle(name, label, initial.equals("Off") ? "" : initial, List.copyOf(buttons), radio, Collections.unmodifiableMap(exports));
    }

    private FormField.Button button(COSDictionary widget, boolean radio) {
        COSDictionary normal = Optional.ofNullable(widget.getCOSDictionary(COSName.AP)).map(ap -> ap.getCOSDictionary(COSName.N)).orElse(null);
        String on = normal == null || normal instanceof COSStream ? null : normal.keySet().stream().map(COSName::getName)
                .filter(state -> !state.equals("Off")).findFirst().orElse(null);
        Integer page = visiblePlace(widget);
        if (page == null) {
            return new FormField.Button(-1, on == null && normal == null ? "Yes" : on, new byte[0], new byte[0], -1);
        }
        PageCanvas canvas = pages.get(page);
        WidgetFrame frame = WidgetFrame.of(widget, form);
        int mark = structure.mark(widget, canvas.page());
        if (on == null) {
            frame.drawBackground(canvas.drawn(), radio);
            return new FormField.Button(page, "Yes", frame.sign(radio), new byte[0], mark);
        }
        COSStream off = normal.getCOSStream(COSName.Off);
        if (off == null) {
            frame.drawBackground(canvas.drawn(), radio);
        }
        return new FormField.Button(page, on, drawn(normal.getCOSStream(COSName.getPDFName(on)), frame, canvas), drawn(off, frame, canvas), mark);
    }

    private static byte[] drawn(COSStream appearance, WidgetFrame frame, PageCanvas canvas) {
        return appearance == null ? new byte[0] : frame.drawing(appearance, canvas.picture(appearance));
    }

    /** The page on which a widget is visible; null if it is not visible. */
    private Integer visiblePlace(COSDictionary widget) {
        int flags = widget.getInt(COSName.F, 0);
        boolean hidden = (flags & 2) != 0 || (flags & 32) != 0;
        return hidden ? null : places.get(widget);
    }

    /** @param cells of a comb, 0 for others */
    private List<Widget> textPlaces(List<Terminal> terminals, int cells) {
        List<Widget> shown = new ArrayList<>();
        for (Terminal terminal : terminals) {
            for (COSDictionary widget : terminal.widgets) {
                Integer page = visiblePlace(widget);
                if (page != null) {
                    WidgetFrame frame = WidgetFrame.of(widget, form);
                    frame.drawBackground(pages.get(page).drawn(), false);
                    frame.drawCells(pages.get(page).drawn(), cells);
                    shown.add(frame.place(page, terminal.attributes, structure.mark(widget, pages.get(page).page())));
                }
            }
        }
        return List.copyOf(shown);
    }

    private void drawAsTheyAre(List<Terminal> terminals) {
        for (Terminal terminal : terminals) {
            for (COSDictionary widget : terminal.widgets) {
                Integer page = visiblePlace(widget);
                COSDictionary appearances = widget.getCOSDictionary(COSName.AP);
                COSStream normal = appearances == null ? null : appearances.getCOSStream(COSName.N);
                if (page != null && normal != null) {
                    WidgetFrame frame = WidgetFrame.of(widget, form);
                    pages.get(page).drawn().bytes(frame.drawing(normal, pages.get(page).picture(normal)));
                }
            }
        }
    }

    private static String initial(COSDictionary attributes) throws IOException, RefusedTemplate {
        COSBase value = attributes.getDictionaryObject(COSName.V);
        String text = "";
        if (value instanceof COSArray several) {
            List<String> lines = new ArrayList<>();
            for (int i = 0; i < Math.min(several.size(), OPTIONS_MAX); i++) {
                lines.add(string(several.getObject(i)));
            }
            text = String.join("\n", lines);
        } else if (value instanceof COSStream stream) {
            try (InputStream in = stream.createInputStream()) {
                text = new COSString(in.readNBytes(2 * INITIAL_MAX)).getString();
            }
        } else {
            text = string(value);
        }
        if (text.length() > INITIAL_MAX) {
            throw new RefusedTemplate("has a field with a value of more than %d characters".formatted(INITIAL_MAX));
        }
        return text.replace("\r\n", "\n").replace('\r', '\n').replace("\0", "");
    }

    private static String string(COSBase value) {
        return switch (value) {
            case COSString text -> text.getString();
            case COSName name -> name.getName();
            case null, default -> "";
        };
    }

    private void removeWidgets() {
        Set<COSDictionary> live = Collections.newSetFromMap(new IdentityHashMap<>());
        terminals.values().forEach(all -> all.stream().filter(one -> "Sig".equals(one.attributes.getNameAsString(COSName.FT)))
                .forEach(one -> live.addAll(one.widgets)));
        for (PageCanvas canvas : pages) {
            COSArray annotations = canvas.page().getCOSArray(COSName.ANNOTS);
            COSArray kept = new COSArray();
            for (int i = 0; annotations != null && i < annotations.size(); i++) {
                if (annotations.getObject(i) instanceof COSDictionary annotation && (!isWidget(annotation) || live.contains(annotation))) {
                    annotation.removeItem(COSName.AA);
                    kept.add(annotations.get(i));
                }
            }
            canvas.page().removeItem(COSName.ANNOTS);
            if (kept.size() > 0) {
                canvas.page().setItem(COSName.ANNOTS, kept);
            }
        }
    }

    /** The root fields that have only signatures below them. */
    COSArray signatures() {
        COSArray roots = form.getCOSArray(COSName.FIELDS);
        return signatures(roots, "", 0);
    }

    private static COSArray signatures(COSArray fields, String kindAbove, int depth) {
        COSArray kept = new COSArray();
        for (int i = 0; fields != null && i < fields.size() && depth <= DEPTH_MAX; i++) {
            if (fields.getObject(i) instanceof COSDictionary field) {
                String kind = field.containsKey(COSName.FT) ? field.getNameAsString(COSName.FT) : kindAbove;
                COSArray kids = field.getCOSArray(COSName.KIDS);
                field.removeItem(COSName.AA);
                if (kids == null) {
                    if ("Sig".equals(kind)) {
                        kept.add(fields.get(i));
                    }
                } else {
                    COSArray below = signatures(kids, kind, depth + 1);
                    if (below.size() > 0) {
                        field.setItem(COSName.KIDS, below);
                        kept.add(fields.get(i));
                    }
                }
            }
        }
        return kept;
    }
}
