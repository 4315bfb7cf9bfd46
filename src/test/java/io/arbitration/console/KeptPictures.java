package io.arbitration.console;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.imageio.ImageIO;

/**
 * Pictures of screens that are kept, small, and the boxes of what stands in them. A screen looks as its picture when its parts stand where
 * they stood and areas of it have the colours that they had; letters of another font version are no difference. With the system property
 * {@code acp.pictures=keep} what is seen is kept.
 */
final class KeptPictures {

    /** Words and numbers that are others every day become the same; for {@code Runtime.evaluate}. */
    static final String STEADY = """
            (() => {
              const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
              for (let text = walker.nextNode(); text; text = walker.nextNode()) {
                const steady = text.data.replace(/\\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\\b/g, 'Monday').replace(/\\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\\b/g, 'Mon')
                  .replace(/\\b(January|February|March|April|May|June|July|August|September|October|November|December)\\b/g, 'January')
                  .replace(/\\b(Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\\b/g, 'Jan').replace(/\\b(just now|\\d+ (min|h) ago|yesterday|tomorrow)\\b/g, 'today').replace(/\\d+/g, '00');
                if (steady !== text.data) {
                  (window.steadied ??= []).push([text, text.data, steady]);
                  text.data = steady;
                }
              }
            })()""";
    /** Puts back what {@link #STEADY} changed: parts that stay from screen to screen would carry it into the pictures of the documentation. */
    static final String AS_IT_WAS = "void window.steadied?.splice(0).forEach(([text, data, steady]) => { text.data = text.data === steady ? data : text.data; })";
    private static final Path FOLDER = Path.of("src/test/resources/console-pictures");
    private static final Path BOXES = FOLDER.resolve("boxes.json");
    /** Those that docs/console.md shows, in their own size. */
    private static final Path DOCUMENTATION = Path.of("docs/pictures/console");
    private static final Set<String> IN_DOCUMENTATION = Set.of("day-light-1440", "day-dark-1440", "entry-dark-1440", "filing-light-1440", "filing-dark-1440", "day-light-390", "entry-dark-390", "filing-light-390",
            "dates-dark-390");
    static final boolean KEEP = "keep".equals(System.getProperty("acp.pictures"));
    private static final List<String> PARTS = List.of("header.side", ".side nav", "main", "main h1", ".tabs", ".phases", ".next", ".docket", ".docket li", ".docket li a", ".beside", ".panel", ".panel .facts",
            ".lines", ".register", ".filing section", ".field input", ".drop", ".people", "main .heading");
    /** Pixels of the screen for one of a kept picture. */
    private static final int SHRUNK = 6;
    /** Pixels of a kept picture in an area, each way: letters are no difference in areas that are larger than they. */
    private static final int AREA = 5;
    private static final int COLOUR_LEVELS = 26;
    private static final double AREAS_SHARE = 0.06;
    private static final JsonObject KEPT = read();

    private KeptPictures() {}

    private static JsonObject read() {
        try {
            return Files.exists(BOXES) ? new JsonObject(Files.readString(BOXES)) : new JsonObject();
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** What a page shows: its picture, small, and where its parts stand. */
    record View(BufferedImage picture, JsonObject boxes) {

        static View of(ConsolePage page) throws IOException {
            return new View(shrunk(ImageIO.read(new ByteArrayInputStream(page.picture()))), KeptPictures.boxes(page));
        }

        /** How another view differs from this one; empty when it does not. */
        List<String> differences(View other) {
            List<String> differences = new ArrayList<>(moved(boxes, other.boxes));
            double share = otherAreas(picture, other.picture);
            if (share > AREAS_SHARE) {
                differences.add("%.0f %% of its areas have another colour".formatted(100 * share));
            }
            return differences;
        }
    }

    /** How what a page shows differs from its kept picture; empty when it does not, or when it is kept now. */
    static List<String> differences(String name, ConsolePage page) throws IOException {
        View seen = View.of(page);
        Path file = FOLDER.resolve(name + ".png");
        if (KEEP) {
            KEPT.put(name, seen.boxes);
            Files.createDirectories(FOLDER);
            ImageIO.write(seen.picture, "png", file.toFile());
            return List.of();
        }
        if (!Files.exists(file)) {
            return List.of(name + ": there is no kept picture");
        }
        return new View(ImageIO.read(file.toFile()), KEPT.getJsonObject(name)).differences(seen).stream().map(one -> name + ": " + one).toList();
    }

    /** Keeps the picture for the documentation, as the page is, where pictures are to be kept. */
    static void document(String name, ConsolePage page) throws IOException {
        if (KEEP && IN_DOCUMENTATION.contains(name)) {
            Files.write(Files.createDirectories(DOCUMENTATION).resolve(name + ".png"), page.picture());
        }
    }

    /** Keeps the boxes, where they are to be kept. */
    static void save() throws IOException {
        if (KEEP) {
            Files.writeString(BOXES, KEPT.encodePrettily() + "\n");
        }
    }

    private static JsonObject boxes(ConsolePage page) {
        return (JsonObject) page.evaluate("Object.fromEntries(%s.map(part => [part, [...document.querySelectorAll(part)].find(one => one.checkVisibility())?.getBoundingClientRect()]).filter(([, box]) => box).map(([part, box]) => [part, [box.x, box.y, box.width, box.height].map(Math.round)]))"
                .formatted(new JsonArray(PARTS).encode()));
    }

    private static List<String> moved(JsonObject kept, JsonObject seen) {
        List<String> moved = new ArrayList<>();
        for (String part : PARTS) {
            JsonArray before = kept.getJsonArray(part);
            JsonArray now = seen.getJsonArray(part);
            if ((before == null) != (now == null)) {
                moved.add("%s is %s".formatted(part, now == null ? "gone" : "new"));
            } else if (now != null && !(near(before, now, 0, 10, 0.02) && near(before, now, 1, 30, 0.12)
                    // A link is as long as its text.
                    && (part.endsWith(" a") || near(before, now, 2, 10, 0.03)) && near(before, now, 3, 40, 0.25))) {
                moved.add("%s stood at %s and stands at %s".formatted(part, before, now));
            }
        }
        return moved;
    }

    private static boolean near(JsonArray before, JsonArray now, int which, int pixels, double share) {
        return Math.abs(before.getInteger(which) - now.getInteger(which)) <= pixels + share * before.getInteger(which);
    }

    /** The colours of a picture, row by row. They are copied at once: asked one by one, each takes its way through the colour model. */
    private record Pixels(int[] colours, int width, int height) {

        static Pixels of(BufferedImage image) {
            BufferedImage plain = new BufferedImage(image.getWidth(), image.getHeight(), BufferedImage.TYPE_INT_RGB);
            Graphics2D drawing = plain.createGraphics();
            drawing.drawImage(image, 0, 0, null);
            drawing.dispose();
            return new Pixels(((DataBufferInt) plain.getRaster().getDataBuffer()).getData(), image.getWidth(), image.getHeight());
        }

        /** Red, green and blue of a square, on the average. */
        int[] mean(int left, int top, int size) {
            int red = 0;
            int green = 0;
            int blue = 0;
            for (int y = top; y < top + size; y++) {
                for (int at = y * width + left; at < y * width + left + size; at++) {
                    red += colours[at] >> 16 & 255;
                    green += colours[at] >> 8 & 255;
                    blue += colours[at] & 255;
                }
            }
            int count = size * size;
            return new int[] {red / count, green / count, blue / count};
        }
    }

    private static BufferedImage shrunk(BufferedImage image) {
        Pixels pixels = Pixels.of(image);
        BufferedImage small = new BufferedImage(image.getWidth() / SHRUNK, image.getHeight() / SHRUNK, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < small.getHeight(); y++) {
            for (int x = 0; x < small.getWidth(); x++) {
                int[] mean = pixels.mean(x * SHRUNK, y * SHRUNK, SHRUNK);
                small.setRGB(x, y, mean[0] << 16 | mean[1] << 8 | mean[2]);
            }
        }
        return small;
    }

    private static double otherAreas(BufferedImage keptPicture, BufferedImage seenPicture) {
        if (keptPicture.getWidth() != seenPicture.getWidth() || keptPicture.getHeight() != seenPicture.getHeight()) {
            return 1;
        }
        Pixels kept = Pixels.of(keptPicture);
        Pixels seen = Pixels.of(seenPicture);
        int other = 0;
        int all = 0;
        for (int y = 0; y + AREA <= kept.height(); y += AREA) {
            for (int x = 0; x + AREA <= kept.width(); x += AREA) {
                int[] before = kept.mean(x, y, AREA);
                int[] now = seen.mean(x, y, AREA);
                all++;
                if (Math.abs(before[0] - now[0]) > COLOUR_LEVELS || Math.abs(before[1] - now[1]) > COLOUR_LEVELS || Math.abs(before[2] - now[2]) > COLOUR_LEVELS) {
                    other++;
                }
            }
        }
        return (double) other / all;
    }
}
