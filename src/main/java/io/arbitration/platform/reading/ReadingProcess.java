package io.arbitration.platform.reading;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
 * Opens files of strangers in a process of its own, one after the other: a {@link ReadingTask} is a line of its input, a {@link ReadingAnswer} a
 * line of its output. A hostile file may unpack to any size or keep a parser busy for ever; so this process ends when it needs too
 * much memory, and the node kills it when it takes too long.
 */
final class ReadingProcess {

    /** Exit code of the JVM when its memory is used up, with {@code -XX:+ExitOnOutOfMemoryError}. */
    static final int OUT_OF_MEMORY = 3;
    static final String PAGES = "pages.json";
    /** The text of a file that is no PDF, in UTF-8. */
    static final String WORDS = "words.txt";
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
            ReadingTask task = ReadingMessages.task(line);
            TimerTask late = new TimerTask() {
                @Override
                public void run() {
                    Runtime.getRuntime().halt(1);
                }
            };
            watchdog.schedule(late, task.timeMillis());
            answers.println(ReadingMessages.line(answer(task)));
            late.cancel();
        }
    }

    private static ReadingAnswer answer(ReadingTask task) {
        return switch (task.kind()) {
            case TEXT, CHECK, COVERED -> ofPdf(task);
            case PLAIN, HTML, DOCX -> ofText(task);
        };
    }

    private static ReadingAnswer ofText(ReadingTask task) {
        Path file = Path.of(task.file());
        try {
            Files.writeString(Path.of(task.folder(), WORDS), switch (task.kind()) {
                case PLAIN -> PlainText.read(Files.readAllBytes(file), task.contentType());
                case HTML -> HtmlText.read(Files.readAllBytes(file), task.contentType());
                case DOCX -> DocxText.read(file, task.charactersMax());
                case TEXT, CHECK, COVERED -> throw new IllegalStateException("a PDF is read by its pages");
            });
            return new ReadingAnswer(0, null);
        } catch (Unreadable unreadable) {
            return new ReadingAnswer(0, null, null, null, unreadable.reason());
        } catch (IOException | RuntimeException | StackOverflowError broken) {
            return new ReadingAnswer(0, null, null, null, Unreadable.Reason.CORRUPT);
        }
    }

    private static ReadingAnswer ofPdf(ReadingTask task) {
        File file = new File(task.file());
        try (PDDocument document = open(file, task)) {
            return switch (task.kind()) {
                case TEXT -> text(document, task);
                case COVERED -> covered(document, file, task);
                case CHECK -> new PdfInspection(document, file, task.pagesMax()).answer();
                case PLAIN, HTML, DOCX -> throw new IllegalStateException("no PDF: " + task.kind());
            };
        } catch (InvalidPasswordException | NoClassDefFoundError encrypted) {
            // Encryption for certificates needs a library that is not here.
            return new ReadingAnswer(0, PdfFault.ENCRYPTED);
        } catch (IOException | RuntimeException | StackOverflowError broken) {
            return new ReadingAnswer(0, PdfFault.DAMAGED);
        }
    }

    private static ReadingAnswer covered(PDDocument document, File file, ReadingTask task) throws IOException {
        PdfCoverSearch search = new PdfCoverSearch(document);
        CoveredText covered = search.first().orElse(null);
        PdfRemains remains = search.remains().orElse(null);
        if (covered == null && remains == null) {
            remains = new PdfRemainsSearch(document.getDocument(), file).first().orElse(null);
        }
        if (covered == null && remains == null && task.filed() != null && isDescribed(document, task)) {
            remains = PdfRemains.DESCRIPTION;
        }
        return new ReadingAnswer(document.getNumberOfPages(), null, covered, remains, null);
    }

    private static boolean isDescribed(PDDocument redacted, ReadingTask task) throws IOException {
        try (PDDocument filed = open(new File(task.filed()), task)) {
            return new PdfDescriptionSearch(filed, redacted).finds();
        }
    }

    private static PDDocument open(File file, ReadingTask task) throws IOException {
        return Loader.loadPDF(file, MemoryUsageSetting.setupTempFileOnly(SCRATCH_BYTES_MAX).setTempDir(new File(task.folder())).streamCache);
    }

    private static ReadingAnswer text(PDDocument document, ReadingTask task) throws IOException {
        if (document.getNumberOfPages() > task.pagesMax()) {
            return new ReadingAnswer(document.getNumberOfPages(), PdfFault.TOO_MANY_PAGES);
        }
        PDFTextStripper stripper = new PDFTextStripper();
        PDFRenderer renderer = new PDFRenderer(document);
        List<ReadingMessages.PageText> pages = new ArrayList<>();
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
            pages.add(new ReadingMessages.PageText(text, scanned));
            if (draws) {
                ImageIO.write(renderer.renderImageWithDPI(number - 1, DOTS_PER_INCH, ImageType.RGB), "png",
                        Path.of(task.folder(), "page-%d.png".formatted(number)).toFile());
            }
        }
        ReadingMessages.write(Path.of(task.folder(), PAGES), pages);
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
