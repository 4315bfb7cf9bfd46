package io.arbitration.documentation;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes the documentation that a running platform serves at {@code /docs/guides}: a page of HTML for each page of Markdown, the files and
 * pictures that they link to, one script, one style sheet, and an index to search. {@code pages.json} says which file answers which
 * address. Run by the build.
 */
public final class DocumentationPages {

    private static final Path INDEX = Path.of("docs/README.md");
    private static final String HTML = "text/html; charset=utf-8";

    private final Path project;
    private final Path sources;
    private final Path output;
    private final Addresses addresses;
    private final String template;
    private final ArrayNode manifest = JsonMapper.builder().build().createArrayNode();

    private DocumentationPages(Path project) throws IOException {
        this.project = project;
        this.sources = project.resolve("src/documentation/page");
        this.output = project.resolve("target/classes/documentation");
        this.addresses = new Addresses(project);
        this.template = Files.readString(sources.resolve("page.html"));
    }

    /** @param arguments the folder of the project; what is made goes to {@code target/classes/documentation} in it */
    public static void main(String[] arguments) throws IOException {
        new DocumentationPages(Path.of(arguments.length == 0 ? "" : arguments[0]).toAbsolutePath()).make();
    }

    private void make() throws IOException {
        empty(output);
        List<Article> articles = new ArrayList<>();
        for (Path page : pages()) {
            articles.add(Article.of(page, Files.readString(project.resolve(page)), addresses));
        }
        Map<String, Map<String, String>> contents = Article.contents(INDEX, Files.readString(project.resolve(INDEX)), addresses);
        for (Article article : articles) {
            String address = Addresses.of(article.file());
            write(address, HTML, page(address, article.title(), article.html(), article.sections(), contents));
        }
        for (Path file : addresses.texts) {
            String html = "<h1>%1$s</h1>%n<pre class=\"code\" tabindex=\"0\"><code>%2$s</code></pre>".formatted(
                    escaped(file.toString()), escaped(Files.readString(project.resolve(file))));
            write(Addresses.ofText(file), HTML, page(Addresses.ofText(file), file.toString(), html, List.of(), contents));
        }
        for (Path picture : addresses.pictures) {
            write(Addresses.ofPicture(picture), picture.toString().endsWith(".svg") ? "image/svg+xml" : "image/png", Files.readAllBytes(project.resolve(picture)));
        }
        write(Addresses.ROOT + "/assets/guides.js", "text/javascript; charset=utf-8", Files.readAllBytes(sources.resolve("guides.js")));
        // The colours and sizes are those of the console.
        write(Addresses.ROOT + "/assets/guides.css", "text/css; charset=utf-8",
                Files.readString(project.resolve("src/main/console/tokens.css")) + Files.readString(sources.resolve("guides.css")));
        write(Addresses.ROOT + "/assets/icon.svg", "image/svg+xml", Files.readAllBytes(project.resolve("src/main/console/icon.svg")));
        write(Addresses.ROOT + "/assets/search.json", "application/json", index(articles));
        Files.writeString(output.resolve("pages.json"), manifest.toPrettyString());
    }

    /** All pages of the repository that are for readers, relative to the project. */
    private List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(project.resolve("docs"))) {
            return Stream.concat(Addresses.TOP.keySet().stream().map(Path::of),
                    docs.filter(file -> file.toString().endsWith(".md")).map(project::relativize)).sorted().toList();
        }
    }

    private String page(String address, String title, String html, List<Article.Section> sections, Map<String, Map<String, String>> contents) {
        Map<String, String> filled = new LinkedHashMap<>();
        filled.put("title", escaped(title));
        filled.put("contents", contents(address, contents));
        filled.put("next", next(address, contents));
        filled.put("article", html.replaceFirst("</h1>", Matcher.quoteReplacement("</h1>\n" + sections(sections))));
        String page = template;
        for (Map.Entry<String, String> one : filled.entrySet()) {
            page = page.replace("<!-- %s -->".formatted(one.getKey()), one.getValue());
        }
        return page;
    }

    private static String contents(String address, Map<String, Map<String, String>> contents) {
        return contents.entrySet().stream().map(part -> "<h2>%s</h2>%n<ul>%n%s</ul>%n".formatted(escaped(part.getKey()),
                part.getValue().entrySet().stream().map(page -> "<li><a href=\"%s\"%s>%s</a></li>%n".formatted(page.getKey(),
                        page.getKey().equals(address) ? " aria-current=\"page\"" : "", escaped(page.getValue()))).collect(Collectors.joining())))
                .collect(Collectors.joining());
    }

    private static String sections(List<Article.Section> sections) {
        List<Article.Section> second = sections.stream().filter(section -> section.level() == 2).toList();
        return second.size() < 2 ? "" : "<details class=\"sections\"><summary>On this page</summary>%n<ul>%n%s</ul></details>%n".formatted(second.stream()
                .map(section -> "<li><a href=\"#%s\">%s</a></li>%n".formatted(section.anchor(), escaped(section.heading()))).collect(Collectors.joining()));
    }

    /** Links to the pages before and after this one in the index; nothing on pages that it does not name. */
    private static String next(String address, Map<String, Map<String, String>> contents) {
        List<Map.Entry<String, String>> order = contents.values().stream().flatMap(part -> part.entrySet().stream()).toList();
        int at = order.stream().map(Map.Entry::getKey).toList().indexOf(address);
        if (at < 0) {
            return "";
        }
        String before = at == 0 ? "" : "<a href=\"%s\" rel=\"prev\">← %s</a>%n".formatted(order.get(at - 1).getKey(), escaped(order.get(at - 1).getValue()));
        String after = at == order.size() - 1 ? ""
                : "<a href=\"%s\" rel=\"next\">%s →</a>%n".formatted(order.get(at + 1).getKey(), escaped(order.get(at + 1).getValue()));
        return before + after;
    }

    /** What the script searches: pages as {@code [address, title]}, sections as {@code [number of the page, anchor, heading, text]}. */
    private static String index(List<Article> articles) {
        ObjectNode index = JsonMapper.builder().build().createObjectNode();
        ArrayNode pages = index.putArray("pages");
        ArrayNode sections = index.putArray("sections");
        for (Article article : articles) {
            int number = pages.size();
            pages.addArray().add(Addresses.of(article.file())).add(article.title());
            article.sections().forEach(section -> sections.addArray().add(number).add(section.anchor()).add(section.heading()).add(section.text()));
        }
        return index.toString();
    }

    private void write(String address, String contentType, String text) throws IOException {
        write(address, contentType, text.getBytes(StandardCharsets.UTF_8));
    }

    private void write(String address, String contentType, byte[] bytes) throws IOException {
        String name = address.equals(Addresses.ROOT) ? "index" : address.substring(Addresses.ROOT.length() + 1);
        Path file = output.resolve(contentType.equals(HTML) ? name + ".html" : name);
        if (Files.exists(file)) {
            throw new IOException("two pages have the address " + address);
        }
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
        manifest.addObject().put("address", address).put("file", output.relativize(file).toString().replace('\\', '/')).put("contentType", contentType);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }

    private static void empty(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
        Files.createDirectories(folder);
    }
}
