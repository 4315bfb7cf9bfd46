package io.arbitration.guides;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page of Markdown, read for its fenced blocks. Comments say what a block does not; readers do not see them:
 *
 * <ul>
 *   <li>{@code <!-- not run: REASON -->} above a block: it is neither run nor checked; the reason is printed;
 *   <li>{@code <!-- from: PATH -->} above a block: it is part of that file, word for word, and checked where that file is;
 *   <li>{@code <!-- given SHELL -->} above a block, over one or more lines: run before it, what the reader has by then;
 *   <li>{@code <!-- shows: TEXT -->} below a block that is run: it prints that, too.
 * </ul>
 *
 * <p>Words behind the language say more:
 *
 * <ul>
 *   <li>{@code sh background} runs in a terminal of its own until the page ends;
 *   <li>{@code sh refused} gets an HTTP error, which in other blocks is a failure; {@code sh fails} has to fail;
 *   <li>{@code json answer} and {@code text answer} are what the block before them prints, {@code text answer background} what the last
 *       in the background has printed by then ({@link ShownAnswer} says what may differ);
 *   <li>{@code json event} is an event of the AsyncAPI document, {@code json request POST /path} the body of an operation.
 * </ul>
 *
 * <p>A block of code that the paragraph above tells to save as a file is saved under that name before what follows is run.
 */
record Page(Path file, String text, List<Block> blocks) {

    private static final Pattern FENCE = Pattern.compile("( *)(```+|~~~+)(.*)");
    private static final Pattern SAVE_AS = Pattern.compile("(?is)\\bsave\\b.*?\\bas `([\\w.-]+)`");

    /**
     * @param line of its fence, from 1
     * @param words behind the language
     * @param given shell to run before it
     * @param shows what it prints, among more
     * @param savedAs name of the file that it is to be saved as
     */
    record Block(
            Path file, int line, String language, List<String> words, String text, Optional<String> notRun, Optional<String> from, String given,
            List<String> shows, Optional<String> savedAs) {

        boolean is(String word) {
            return words.contains(word);
        }

        String where() {
            return file + ":" + line;
        }
    }

    static Page read(Path file) throws IOException {
        return of(file, Files.readString(file));
    }

    static Page of(Path file, String text) {
        Reading reading = new Reading(file, text.lines().toList());
        while (reading.at < reading.lines.size()) {
            reading.step();
        }
        return new Page(file, text, List.copyOf(reading.blocks));
    }

    /** The pages whose blocks are run: all that tell a reader what to do. */
    static List<Path> thatTell() throws IOException {
        try (Stream<Path> docs = Files.walk(Path.of("docs"))) {
            return Stream.concat(Stream.of(Path.of("README.md")), docs.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !file.startsWith("docs/decisions")).sorted()).toList();
        }
    }

    private static final class Reading {

        private final Path file;
        private final List<String> lines;
        private final List<Block> blocks = new ArrayList<>();
        private final List<String> comments = new ArrayList<>();
        private final StringBuilder paragraph = new StringBuilder();
        private boolean paragraphEnded;
        private boolean behindBlock;
        private int at;

        private Reading(Path file, List<String> lines) {
            this.file = file;
            this.lines = lines;
        }

        private void step() {
            String line = lines.get(at);
            Matcher fence = FENCE.matcher(line);
            if (fence.matches()) {
                block(fence);
            } else if (line.strip().startsWith("<!--")) {
                comment();
            } else {
                at++;
                if (line.isBlank()) {
                    paragraphEnded = true;
                } else {
                    prose(line);
                }
            }
        }

        private void prose(String line) {
            if (line.contains("```") || line.contains("~~~") || line.contains("<pre")
                    || line.matches(" {4,}\\S.*") && paragraphEnded && !paragraph.toString().matches("(?s) *([-*+]|[0-9]+[.)]) .*")) {
                throw new IllegalStateException("%s:%d: a block that is not fenced by lines of its own".formatted(file, at));
            }
            if (paragraphEnded) {
                paragraph.setLength(0);
                paragraphEnded = false;
            }
            paragraph.append(line).append('\n');
            if (!comments.isEmpty()) {
                throw new IllegalStateException("%s:%d: a comment belongs right above a block: %s".formatted(file, at, comments));
            }
            behindBlock = false;
        }

        private void comment() {
            int from = at;
            StringBuilder whole = new StringBuilder();
            while (true) {
                if (at == lines.size()) {
                    throw new IllegalStateException("%s:%d: a comment without an end".formatted(file, from + 1));
                }
                String line = lines.get(at++);
                whole.append(line).append('\n');
                if (line.contains("-->")) {
                    break;
                }
            }
            String said = whole.toString().strip().replaceFirst("^<!--", "").replaceFirst("-->$", "").strip();
            if (said.startsWith("shows: ") && behindBlock) {
                Block last = blocks.removeLast();
                blocks.add(new Block(last.file, last.line, last.language, last.words, last.text, last.notRun, last.from, last.given,
                        Stream.concat(last.shows.stream(), Stream.of(said.substring("shows: ".length()))).toList(), last.savedAs));
            } else if (said.matches("(?s)(not run: |from: |given\\s).+")) {
                comments.add(said);
            } else {
                throw new IllegalStateException("%s:%d: a comment that says nothing known: %s".formatted(file, from + 1, said));
            }
        }

        private void block(Matcher fence) {
            int line = at + 1;
            String indent = fence.group(1);
            List<String> text = new ArrayList<>();
            at++;
            while (at < lines.size() && !lines.get(at).strip().equals(fence.group(2))) {
                String next = lines.get(at++);
                text.add(next.startsWith(indent) ? next.substring(indent.length()) : next.stripLeading());
            }
            if (at == lines.size()) {
                throw new IllegalStateException("%s:%d: a block without an end".formatted(file, line));
            }
            at++;
            List<String> words = fence.group(3).isBlank() ? List.of("") : List.of(fence.group(3).strip().split("\\s+"));
            Matcher saved = SAVE_AS.matcher(paragraph);
            blocks.add(new Block(file, line, words.getFirst(), words.subList(1, words.size()), String.join("\n", text) + "\n", said("not run: "), said("from: "),
                    String.join("\n", comments.stream().filter(one -> one.matches("(?s)given\\s.*")).map(one -> one.substring("given".length())).toList()),
                    List.of(), saved.find() ? Optional.of(saved.group(1)) : Optional.empty()));
            comments.clear();
            paragraph.setLength(0);
            behindBlock = true;
        }

        private Optional<String> said(String prefix) {
            return comments.stream().filter(one -> one.startsWith(prefix)).map(one -> one.substring(prefix.length()).strip()).findFirst();
        }
    }
}
