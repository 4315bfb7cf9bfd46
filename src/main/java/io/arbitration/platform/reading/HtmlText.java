package io.arbitration.platform.reading;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.Locale;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeFilter;

/** The visible text of an HTML page, by paragraphs: without scripts, styles and hidden elements. */
final class HtmlText implements NodeFilter {

    private final StringBuilder text = new StringBuilder();

    static String read(byte[] bytes, String contentType) {
        String charset = PlainText.declared(contentType).map(Charset::name).orElse(null);
        Document page;
        try {
            page = Jsoup.parse(new ByteArrayInputStream(bytes), charset, "");
        } catch (IOException broken) {
            throw new Unreadable(Unreadable.Reason.CORRUPT);
        }
        if (page.charset().equals(java.nio.charset.StandardCharsets.UTF_8) && page.wholeText().indexOf('\ufffd') >= 0) {
            throw new Unreadable(Unreadable.Reason.CORRUPT);
        }
        HtmlText reader = new HtmlText();
        page.filter(reader);
        return reader.text.toString();
    }

    @Override
    public FilterResult head(Node node, int depth) {
        return switch (node) {
            case TextNode words -> {
                append(words);
                yield FilterResult.CONTINUE;
            }
            case Element element when isHidden(element) -> FilterResult.SKIP_ENTIRELY;
            case Element element -> {
                if (isCell(element)) {
                    if (!text.isEmpty() && text.charAt(text.length() - 1) != '\n') {
                        text.append('\t');
                    }
                } else if (element.isBlock() || element.normalName().equals("br")) {
                    breakLine();
                }
                yield FilterResult.CONTINUE;
            }
            default -> FilterResult.CONTINUE;
        };
    }

    @Override
    public FilterResult tail(Node node, int depth) {
        if (node instanceof Element element && element.isBlock() && !isCell(element)) {
            breakLine();
        }
        return FilterResult.CONTINUE;
    }

    private void append(TextNode words) {
        String said = words.text();
        boolean atStart = text.isEmpty() || Character.isWhitespace(text.charAt(text.length() - 1));
        text.append(atStart ? said.stripLeading() : said);
    }

    private void breakLine() {
        if (!text.isEmpty() && text.charAt(text.length() - 1) != '\n') {
            text.append('\n');
        }
    }

    private static boolean isCell(Element element) {
        return element.normalName().equals("td") || element.normalName().equals("th");
    }

    private static boolean isHidden(Element element) {
        String style = element.attr("style").toLowerCase(Locale.ROOT).replaceAll("\\s", "");
        return switch (element.normalName()) {
            case "script", "style", "noscript", "template", "head" -> true;
            default -> element.hasAttr("hidden") || style.contains("display:none") || style.contains("visibility:hidden");
        };
    }
}
