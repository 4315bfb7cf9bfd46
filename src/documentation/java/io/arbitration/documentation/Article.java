package io.arbitration.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.BulletList;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.HtmlNodeRendererContext;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.html.HtmlWriter;

/**
 * A page of Markdown as HTML, with its sections. Comments are for those who test the pages and are left out; any other HTML in a page is
 * shown as text.
 *
 * @param file relative to the project
 * @param sections in their order, the first being what stands below the title
 */
record Article(Path file, String title, String html, List<Section> sections) {

    private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
    /** Headings down to this level begin a section that is found on its own. */
    private static final int SECTION_LEVEL_MAX = 3;

    /** @param anchor empty for the section that the title begins */
    record Section(int level, String anchor, String heading, String text) {}

    static Node parsed(String markdown) {
        Node document = PARSER.parse(markdown);
        document.accept(new AbstractVisitor() {
            @Override
            public void visit(HtmlBlock block) {
                if (block.getLiteral().startsWith("<!--")) {
                    block.unlink();
                }
            }

            @Override
            public void visit(HtmlInline inline) {
                if (inline.getLiteral().startsWith("<!--")) {
                    inline.unlink();
                }
            }
        });
        return document;
    }

    /** @throws IOException when a link leads to nothing that a platform serves */
    static Article of(Path file, String markdown, Addresses addresses) throws IOException {
        Node document = parsed(markdown);
        Map<Node, String> anchors = anchors(document);
        try {
            document.accept(new AbstractVisitor() {
                @Override
                public void visit(Link link) {
                    link.setDestination(address(link.getDestination()));
                    visitChildren(link);
                }

                @Override
                public void visit(Image image) {
                    image.setDestination(address(image.getDestination()));
                    visitChildren(image);
                }

                private String address(String target) {
                    try {
                        return addresses.ofLink(file, target);
                    } catch (IOException broken) {
                        throw new UncheckedIOException(broken);
                    }
                }
            });
        } catch (UncheckedIOException broken) {
            throw broken.getCause();
        }
        List<Section> sections = sections(document, anchors);
        // The first renderer of a kind of node is the one that is used.
        HtmlRenderer renderer = HtmlRenderer.builder().nodeRendererFactory(Wide::new).extensions(EXTENSIONS).escapeHtml(true)
                .attributeProviderFactory(context -> (node, tag, attributes) -> {
                    if (anchors.containsKey(node)) {
                        attributes.put("id", anchors.get(node));
                    }
                }).build();
        return new Article(file, sections.getFirst().heading(), renderer.render(document), sections);
    }

    /** Headings and their anchors, as GitHub makes them, so that one link serves there and here. */
    private static Map<Node, String> anchors(Node document) {
        Map<Node, String> anchors = new HashMap<>();
        Map<String, Integer> times = new HashMap<>();
        for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
            if (node instanceof Heading heading) {
                String anchor = text(heading).strip().toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
                int before = times.merge(anchor, 1, Integer::sum) - 1;
                anchors.put(heading, before == 0 ? anchor : anchor + "-" + before);
            }
        }
        return anchors;
    }

    private static List<Section> sections(Node document, Map<Node, String> anchors) {
        List<Section> sections = new ArrayList<>();
        Heading heading = null;
        StringBuilder text = new StringBuilder();
        for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
            if (node instanceof Heading next && next.getLevel() <= SECTION_LEVEL_MAX) {
                close(sections, heading, text, anchors);
                heading = next;
            } else {
                text.append(text(node)).append(' ');
            }
        }
        close(sections, heading, text, anchors);
        return sections;
    }

    private static void close(List<Section> sections, Heading heading, StringBuilder text, Map<Node, String> anchors) {
        if (heading != null) {
            String anchor = heading.getLevel() == 1 ? "" : anchors.get(heading);
            sections.add(new Section(heading.getLevel(), anchor, text(heading).strip(), text.toString().replaceAll("\\s+", " ").strip()));
            text.setLength(0);
        }
    }

    /** What a reader sees of a node, without its marks. */
    static String text(Node node) {
        StringBuilder text = new StringBuilder();
        node.accept(new AbstractVisitor() {
            @Override
            public void visit(Text one) {
                text.append(one.getLiteral());
            }

            @Override
            public void visit(Code code) {
                text.append(code.getLiteral());
            }

            @Override
            public void visit(FencedCodeBlock block) {
                text.append(block.getLiteral()).append(' ');
            }

            @Override
            public void visit(SoftLineBreak end) {
                text.append(' ');
            }

            @Override
            public void visit(HardLineBreak end) {
                text.append(' ');
            }

            @Override
            public void visit(Paragraph paragraph) {
                visitChildren(paragraph);
                text.append(' ');
            }

            @Override
            public void visit(ListItem item) {
                visitChildren(item);
                text.append(' ');
            }

            @Override
            public void visit(BulletList list) {
                visitChildren(list);
                text.append(' ');
            }

            @Override
            public void visit(CustomNode custom) {
                visitChildren(custom);
                if (custom instanceof TableCell) {
                    text.append(' ');
                }
            }
        });
        return text.toString();
    }

    /** The pages that the index names, by its headings of the second level, each with the words of its first link there. */
    static Map<String, Map<String, String>> contents(Path index, String markdown, Addresses addresses) throws IOException {
        Map<String, Map<String, String>> parts = new LinkedHashMap<>();
        Map<String, String> part = null;
        for (Node node = parsed(markdown).getFirstChild(); node != null; node = node.getNext()) {
            if (node instanceof Heading heading) {
                part = heading.getLevel() == 2 ? parts.computeIfAbsent(text(heading).strip(), begun -> new LinkedHashMap<>()) : null;
            } else if (part != null) {
                for (Link link : links(node)) {
                    String address = addresses.ofLink(index, link.getDestination());
                    if (address.startsWith(Addresses.ROOT)) {
                        part.putIfAbsent(address.replaceFirst("#.*", ""), text(link).strip());
                    }
                }
            }
        }
        return parts;
    }

    private static List<Link> links(Node node) {
        List<Link> links = new ArrayList<>();
        node.accept(new AbstractVisitor() {
            @Override
            public void visit(Link link) {
                links.add(link);
            }
        });
        return links;
    }

    /** What may be wider than the page scrolls in a frame of its own, which the keyboard reaches: blocks of code, and tables. */
    private static final class Wide implements NodeRenderer {
        private final HtmlWriter html;
        private final HtmlNodeRendererContext context;

        Wide(HtmlNodeRendererContext context) {
            this.context = context;
            this.html = context.getWriter();
        }

        @Override
        public Set<Class<? extends Node>> getNodeTypes() {
            return Set.of(FencedCodeBlock.class, TableBlock.class);
        }

        @Override
        public void render(Node node) {
            html.line();
            if (node instanceof FencedCodeBlock block) {
                List<String> words = List.of(block.getInfo() == null ? new String[0] : block.getInfo().split(" "));
                html.tag("pre", Map.of("class", words.contains("answer") ? "answer" : "code", "tabindex", "0"));
                html.tag("code");
                html.text(block.getLiteral());
                html.tag("/code");
                html.tag("/pre");
            } else {
                html.tag("div", Map.of("class", "wide", "tabindex", "0"));
                table(node);
                html.tag("/div");
            }
            html.line();
        }

        private void table(Node table) {
            html.tag("table");
            for (Node part = table.getFirstChild(); part != null; part = part.getNext()) {
                context.render(part);
            }
            html.tag("/table");
        }
    }
}
