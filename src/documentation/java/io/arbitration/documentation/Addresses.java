package io.arbitration.documentation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Where a running platform serves what a page of the repository links to, so that a reader needs no repository. */
final class Addresses {

    static final String ROOT = "/docs/guides";
    /** Pages above the folder of the documentation, by the last part of their address. */
    static final Map<String, String> TOP = Map.of("README.md", "readme", "CONTRIBUTING.md", "contributing", "CHANGELOG.md", "change-log",
            "SECURITY.md", "report-a-vulnerability");
    private static final String CONTRACTS = "src/main/resources/";
    private static final Map<String, String> FOLDERS = Map.of("docs/decisions", ROOT + "#decisions-by-subject", "src/main/resources/openapi", "/docs");
    /** What the README says of a platform on the reader's machine is true of the platform that serves it. */
    private static final String LOCAL = "http://localhost:8080";

    private final Path project;
    /** Pictures and files of text that a page links to, relative to the project. */
    final Set<Path> pictures = new TreeSet<>();
    final Set<Path> texts = new TreeSet<>();

    Addresses(Path project) {
        this.project = project;
    }

    /** @param page relative to the project */
    static String of(Path page) {
        String name = page.toString().replace('\\', '/');
        if (TOP.containsKey(name)) {
            return ROOT + "/" + TOP.get(name);
        }
        String below = name.replaceFirst("^docs/(guides/)?", "").replaceFirst("\\.md$", "");
        return below.equals("README") ? ROOT : ROOT + "/" + below;
    }

    static String ofText(Path file) {
        return ROOT + "/files/" + file.toString().replace('\\', '/');
    }

    static String ofPicture(Path file) {
        return ROOT + "/pictures/" + file.getFileName();
    }

    /**
     * The address of what a link leads to.
     *
     * @param page on which the link stands, relative to the project
     * @throws IOException when it leads to nothing that a platform serves: the message names page and link
     */
    String ofLink(Path page, String target) throws IOException {
        if (target.startsWith(LOCAL)) {
            String path = target.substring(LOCAL.length());
            return path.isEmpty() ? "/" : path;
        }
        if (target.startsWith("#") || target.matches("[a-z][a-z0-9+.-]*:.*")) {
            return target;
        }
        String[] parts = target.split("#", 2);
        String anchor = parts.length == 2 ? "#" + parts[1] : "";
        Path folder = page.getParent() == null ? Path.of("") : page.getParent();
        Path file = folder.resolve(parts[0]).normalize();
        String name = file.toString().replace('\\', '/');
        if (FOLDERS.containsKey(name)) {
            return FOLDERS.get(name);
        }
        if (!Files.isRegularFile(project.resolve(file))) {
            throw new IOException("%s: %s leads to nothing that a platform serves".formatted(page, target));
        }
        if (name.startsWith("docs/") && name.endsWith(".md") || TOP.containsKey(name)) {
            return of(file) + anchor;
        }
        if (name.matches(CONTRACTS + "(openapi|asyncapi)/[a-z-]+\\.yaml")) {
            return "/" + name.substring(CONTRACTS.length());
        }
        if (name.matches(".*\\.(png|svg)")) {
            pictures.add(file);
            return ofPicture(file);
        }
        texts.add(file);
        return ofText(file);
    }
}
