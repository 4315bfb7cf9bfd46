package io.arbitration.platform.reading;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.BufferedReader;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Timer;
import java.util.TimerTask;
import java.util.stream.StreamSupport;
import javax.imageio.ImageIO;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.io.MemoryUsageSetting;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDResources;
import org.apache.pdfbox.pdmodel.encryption.InvalidPasswordException;
import org.apache.pdfbox.pdmodel.font.FontMappers;
import org.apache.pdfbox.rendering.ImageType;
import org.apache.pdfbox.rendering.PDFRenderer;
import org.apache.pdfbox.text.PDFTextStripper;

/**
 * Opens PDFs in a process of its own, one after the other: a {@link ReadingTask} is a line of its input, a {@link ReadingAnswer} a
 * line of its output. A hostile PDF may unpack to any size or keep a parser busy for ever; so this process ends when it needs too
 * much memory, and the node kills it when it takes too long.
 */
final class ReadingProcess {

    /** Exit code of the JVM when its memory is used up, with {@code -XX:+ExitOnOutOfMemoryError}. */
    static final int OUT_OF_MEMORY = 3;
    static final String PAGES = "pages.json";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final float DOTS_PER_INCH = 110;
    private static final int PICTURES_MAX = 50;
    private static final int PAGE_INCHES_MAX = 40;
    /** Of unpacked streams on the disk, while one file is read. */
    private static final long SCRATCH_BYTES_MAX = 2L * 1024 * 1024 * 1024;

    private ReadingProcess() {}

    /** Serves until its input ends. */
    public static void main(String[] arguments) throws IOException {
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        // What libraries print is no answer.
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        FontMappers.set(new BundledTypeface());
        ImageIO.setUseCache(false);
        Timer watchdog = new Timer(true);
        BufferedReader tasks = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = tasks.readLine(); line != null; line = tasks.readLine()) {
            ReadingTask task = JSON.readValue(line, ReadingTask.class);
            TimerTask late = new TimerTask() {
                @Override
                public void run() {
                    Runtime.getRuntime().halt(1);
                }
            };
            watchdog.schedule(late, task.timeMillis());
            answers.println(JSON.writeValueAsString(answer(task)));
            late.cancel();
        }
    }

    private static ReadingAnswer answer(ReadingTask task) {
        File file = new File(task.file());
        try (PDDocument document = Loader.loadPDF(file,
                MemoryUsageSetting.setupTempFileOnly(SCRATCH_BYTES_MAX).setTempDir(new File(task.folder())).streamCache)) {
            return switch (task.kind()) {
                case TEXT -> text(document, task);
                case COVERED -> new ReadingAnswer(document.getNumberOfPages(), null, new PdfCoverSearch(document).first().orElse(null));
                case CHECK -> new PdfInspection(document, file, task.pagesMax()).answer();
            };
        } catch (InvalidPasswordException | NoClassDefFoundError encrypted) {
            // Encryption for certificates needs a library that is not here.
            return new ReadingAnswer(0, PdfFault.ENCRYPTED);
        } catch (IOException | RuntimeException | StackOverflowError broken) {
            return new ReadingAnswer(0, PdfFault.DAMAGED);
        }
    }

    private static ReadingAnswer text(PDDocument document, ReadingTask task) throws IOException {
        if (document.getNumberOfPages() > task.pagesMax()) {
            return new ReadingAnswer(document.getNumberOfPages(), PdfFault.TOO_MANY_PAGES);
        }
        PDFTextStripper stripper = new PDFTextStripper();
        PDFRenderer renderer = new PDFRenderer(document);
        ArrayNode pages = JSON.createArrayNode();
        int characters = 0;
        int drawn = 0;
        for (int number = 1; number <= document.getNumberOfPages(); number++) {
            stripper.setStartPage(number);
            stripper.setEndPage(number);
            String text = stripper.getText(document);
            characters += text.length();
            PDPage page = document.getPage(number - 1);
            boolean scanned = text.isBlank() && hasPicture(page.getResources());
            boolean draws = scanned && task.pictures();
            if (characters > task.charactersMax() || draws && (++drawn > PICTURES_MAX || isHuge(page))) {
                return new ReadingAnswer(document.getNumberOfPages(), PdfFault.TOO_LONG);
            }
            pages.addObject().put("text", text).put("scanned", scanned);
            if (draws) {
                ImageIO.write(renderer.renderImageWithDPI(number - 1, DOTS_PER_INCH, ImageType.RGB), "png",
                        Path.of(task.folder(), "page-%d.png".formatted(number)).toFile());
            }
        }
        JSON.writeValue(Path.of(task.folder(), PAGES).toFile(), pages);
        return new ReadingAnswer(document.getNumberOfPages(), null);
    }

    private static boolean isHuge(PDPage page) {
        return Math.max(page.getCropBox().getWidth(), page.getCropBox().getHeight()) > PAGE_INCHES_MAX * 72f;
    }

    private static boolean hasPicture(PDResources resources) {
        return resources != null && StreamSupport.stream(resources.getXObjectNames().spliterator(), false)
                .anyMatch((COSName name) -> resources.isImageXObject(name) || isForm(resources, name));
    }

    /** Some scanners put the picture of a page into a form object. */
    private static boolean isForm(PDResources resources, COSName name) {
        try {
            return resources.getXObject(name) instanceof org.apache.pdfbox.pdmodel.graphics.form.PDFormXObject;
        } catch (IOException broken) {
            return false;
        }
    }
}
