package io.arbitration.platform.reading;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reads a PDF by a {@link ReadingProcess} and puts its pages together. Blocks until the process has answered. */
final class PdfText {

    /**
     * @param pages at most
     * @param characters at most
     * @param time for the whole PDF
     */
    record Bounds(int pages, int characters, Duration time) {}

    /** The text of all pages, the pictures of those without text, and how many pages there are. */
    record Pages(String text, List<Reading.Picture> pictures, int count) {}

    private PdfText() {}

    static Pages read(ReadingProcesses processes, Path file, Path folder, Bounds bounds, Scans scans) throws IOException {
        ReadingAnswer answer = processes.ask(ReadingTask.Kind.TEXT, file, folder, bounds.pages(), bounds.characters(), scans == Scans.SHOWN, bounds.time());
        if (answer.fault() == null) {
            return pages(folder, scans);
        }
        throw Unreadable.of(answer.fault());
    }

    private static Pages pages(Path folder, Scans scans) throws IOException {
        List<ReadingMessages.PageText> pages = ReadingMessages.pages(folder.resolve(ReadingProcess.PAGES));
        StringBuilder text = new StringBuilder();
        List<Reading.Picture> drawn = new ArrayList<>();
        boolean unread = false;
        boolean said = false;
        for (int number = 1; number <= pages.size(); number++) {
            ReadingMessages.PageText page = pages.get(number - 1);
            said |= !page.text().isBlank();
            if (page.scanned()) {
                Path picture = folder.resolve("page-%d.png".formatted(number));
                if (scans == Scans.SHOWN) {
                    drawn.add(new Reading.Picture("page " + number, "image/png", Files.readAllBytes(picture)));
                }
                unread |= scans == Scans.REFUSED;
                text.append("[page %d is a picture]\n".formatted(number));
            } else {
                text.append("[page %d]\n".formatted(number)).append(page.text());
            }
        }
        // A page that nobody can read may be the one that matters: leaving it out would be a silent cut.
        if (unread || !said && drawn.isEmpty()) {
            throw new Unreadable(Unreadable.Reason.NO_TEXT);
        }
        return new Pages(text.toString(), drawn, pages.size());
    }
}
