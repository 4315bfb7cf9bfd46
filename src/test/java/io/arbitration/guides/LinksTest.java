package io.arbitration.guides;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every link from a page to a file of the repository, or to a heading in one, leads there. */
class LinksTest {

    private static final Pattern LINK = Pattern.compile("\\[[^\\[\\]]*]\\(<?([^)\\s>]+)>?(?: \"[^\"]*\")?\\)");
    private static final Pattern FENCED = Pattern.compile("(?ms)^ *(```+|~~~+).*?^ *\\1 *$");
    private static final Pattern CODE = Pattern.compile("`[^`\n]*`");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?)#*$");
    private static final Set<String> NO_PAGES = Set.of("target", ".git", "data", "node_modules");

    record Link(Path page, String target) {}

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        try (Stream<Path> top = Files.list(Path.of("."))) {
            for (Path one : top.map(Path::normalize).filter(one -> !NO_PAGES.contains(one.toString())).toList()) {
                try (Stream<Path> all = Files.walk(one)) {
                    all.filter(file -> file.toString().endsWith(".md") && !file.toString().contains("node_modules")).forEach(pages::add);
                }
            }
        }
        return pages;
    }

    /** Links of a page; those within code are none. A text in code may be the name of a link, so only its content goes. */
    private static List<Link> links(Path page) throws IOException {
        String prose = CODE.matcher(FENCED.matcher(Files.readString(page)).replaceAll("")).replaceAll("code");
        return LINK.matcher(prose).results().map((MatchResult link) -> new Link(page, link.group(1))).toList();
    }

    /** The anchors of a page, as GitHub makes them from its headings. */
    private static Set<String> anchors(Path page) throws IOException {
        Set<String> anchors = new HashSet<>();
        Map<String, Integer> times = new HashMap<>();
        HEADING.matcher(FENCED.matcher(Files.readString(page)).replaceAll("")).results().forEach(heading -> {
            String text = heading.group(1).strip().replaceAll("\\[([^\\]]*)]\\([^)]*\\)", "$1").toLowerCase(Locale.ROOT);
            String anchor = text.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
            int before = times.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? anchor : anchor + "-" + before);
        });
        return anchors;
    }

    private static String trouble(Link link) throws IOException {
        if (link.target.matches("[a-z][a-z0-9+.-]*:.*")) {
            return "";
        }
        String[] parts = link.target.split("#", 2);
        Path folder = link.page.getParent() == null ? Path.of("") : link.page.getParent();
        Path file = parts[0].isEmpty() ? link.page : folder.resolve(parts[0]).normalize();
        if (!Files.exists(file.toString().isEmpty() ? Path.of(".") : file)) {
            return "%s: %s leads nowhere".formatted(link.page, link.target);
        }
        boolean misses = parts.length == 2 && file.toString().endsWith(".md") && !anchors(file).contains(parts[1]);
        return misses ? "%s: %s has no such heading, only %s".formatted(link.page, link.target, anchors(file)) : "";
    }

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        List<String> troubles = new ArrayList<>();
        int count = 0;
        for (Path page : pages()) {
            for (Link link : links(page)) {
                count++;
                troubles.add(trouble(link));
            }
        }
        assertThat(count).isGreaterThan(40);
        assertThat(troubles).allMatch(String::isEmpty);
    }

    @Test
    void aLinkThatLeadsNowhereIsFound() throws IOException {
        assertThat(trouble(new Link(Path.of("README.md"), "docs/nowhere.md"))).contains("leads nowhere");
        assertThat(trouble(new Link(Path.of("docs/README.md"), "../README.md#nothing-of-this-name"))).contains("has no such heading");
        assertThat(trouble(new Link(Path.of("docs/README.md"), "../README.md#two-commands"))).isEmpty();
        assertThat(trouble(new Link(Path.of("docs/README.md"), "#pages-are-tested"))).isEmpty();
    }

    @Test
    void everyGuideAndReferenceIsInTheIndex() throws IOException {
        Path index = Path.of("docs/README.md");
        List<String> named = links(index).stream().map(Link::target).toList();
        for (Path page : pages()) {
            if (page.startsWith("docs") && !page.startsWith("docs/decisions") && !page.equals(index)) {
                assertThat(named).as("docs/README.md lists the pages").contains(Path.of("docs").relativize(page).toString());
            }
        }
        assertThat(links(Path.of("README.md"))).extracting(Link::target).contains("docs/README.md", "docs/tutorial.md");
    }

    /** What several pages need is shown on one, so that a correction of it reaches every reader; the others link to it. */
    private static final Map<Pattern, Path> SHOWN_ONCE = Map.of(
            Pattern.compile("(?m)^(post|value|sign_in|add_participant)\\(\\) "), Path.of("docs/guides/integrate.md"),
            Pattern.compile("(?m)hmac\\.new\\(|hmac\\.New\\(|createHmac\\(|Mac\\.getInstance\\("), Path.of("docs/guides/receive-webhooks.md"),
            Pattern.compile("(?m)^profile: production$"), Path.of("docs/guides/prepare-production.md"));

    @Test
    void functionsReceiversAndTheProductionConfigurationAreShownOnOnePage() throws IOException {
        for (Map.Entry<Pattern, Path> shown : SHOWN_ONCE.entrySet()) {
            List<Path> pages = new ArrayList<>();
            for (Path page : Page.thatTell()) {
                if (shown.getKey().matcher(Files.readString(page)).find()) {
                    pages.add(page);
                }
            }
            assertThat(pages).as(shown.getKey().pattern()).containsExactly(shown.getValue());
        }
    }
}
