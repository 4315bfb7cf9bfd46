package io.arbitration.ai.reading;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Reads a PDF by a {@link PdfReadingProcess} and puts its pages together. Blocks until the process has ended. */
final class PdfText {

    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * @param pages at most
     * @param characters at most
     * @param time for the whole PDF
     */
    record Bounds(int pages, int characters, Duration time) {}

    /** The text of all pages, and the pictures of those without text. */
    record Pages(String text, List<Reading.Picture> pictures) {}

    private PdfText() {}

    static Pages read(Path file, Path folder, Bounds bounds, boolean pictures) throws IOException {
        int exit = run(file, folder, bounds, pictures);
        return switch (exit) {
            case 0 -> pages(folder, pictures);
            case PdfReadingProcess.ENCRYPTED -> throw new Unreadable(Unreadable.Reason.ENCRYPTED);
            case PdfReadingProcess.TOO_LONG, PdfReadingProcess.OUT_OF_MEMORY -> throw new Unreadable(Unreadable.Reason.TOO_LONG);
            default -> throw new Unreadable(Unreadable.Reason.CORRUPT);
        };
    }

    private static int run(Path file, Path folder, Bounds bounds, boolean pictures) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m", "-Xss2m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:+ExitOnOutOfMemoryError", "-Xlog:disable",
                "-Djava.awt.headless=true", "-Djava.io.tmpdir=" + folder,
                "-cp", System.getProperty("java.class.path"), PdfReadingProcess.class.getName(),
                file.toString(), folder.toString(), String.valueOf(bounds.pages()), String.valueOf(bounds.characters()), String.valueOf(pictures))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.DISCARD);
        // The process reads files of strangers: it must not see the passwords and keys in the environment of the node.
        builder.environment().clear();
        Process process = builder.start();
        try {
            if (!process.waitFor(bounds.time().toMillis(), TimeUnit.MILLISECONDS)) {
                throw new Unreadable(Unreadable.Reason.TOO_SLOW);
            }
            return process.exitValue();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new Unreadable(Unreadable.Reason.TOO_SLOW);
        } finally {
            process.destroyForcibly();
        }
    }

    private static Pages pages(Path folder, boolean pictures) throws IOException {
        JsonNode pages = JSON.readTree(folder.resolve(PdfReadingProcess.PAGES).toFile());
        StringBuilder text = new StringBuilder();
        List<Reading.Picture> drawn = new ArrayList<>();
        boolean unread = false;
        boolean said = false;
        for (int number = 1; number <= pages.size(); number++) {
            JsonNode page = pages.get(number - 1);
            said |= !page.get("text").asText().isBlank();
            if (page.get("scanned").asBoolean()) {
                Path picture = folder.resolve("page-%d.png".formatted(number));
                if (pictures) {
                    drawn.add(new Reading.Picture("page " + number, "image/png", Files.readAllBytes(picture)));
                }
                unread |= !pictures;
                text.append("[page %d is a picture]\n".formatted(number));
            } else {
                text.append("[page %d]\n".formatted(number)).append(page.get("text").asText());
            }
        }
        // A page that cannot be read may be the important one. Leaving it out without an error would hide that.
        if (unread || !said && drawn.isEmpty()) {
            throw new Unreadable(Unreadable.Reason.NO_TEXT);
        }
        return new Pages(text.toString(), drawn);
    }
}
