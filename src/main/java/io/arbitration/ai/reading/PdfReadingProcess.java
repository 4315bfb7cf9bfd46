package io.arbitration.ai.reading;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.StreamSupport;
import javax.imageio.ImageIO;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.io.IOUtils;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDResources;
import org.apache.pdfbox.pdmodel.encryption.InvalidPasswordException;
import org.apache.pdfbox.pdmodel.font.FontMappers;
import org.apache.pdfbox.rendering.ImageType;
import org.apache.pdfbox.rendering.PDFRenderer;
import org.apache.pdfbox.text.PDFTextStripper;

/**
 * Reads one PDF in a process of its own. A hostile PDF may unpack to any size or keep a parser busy for ever; so this process ends when
 * it needs too much memory, and the node kills it when it takes too long.
 */
final class PdfReadingProcess {

    static final int ENCRYPTED = 10;
    static final int CORRUPT = 11;
    static final int TOO_LONG = 12;
    /** Exit code of the JVM when its memory is used up, with {@code -XX:+ExitOnOutOfMemoryError}. */
    static final int OUT_OF_MEMORY = 3;
    static final String PAGES = "pages.json";
    private static final float DOTS_PER_INCH = 110;
    private static final int PICTURES_MAX = 50;
    private static final int PAGE_INCHES_MAX = 40;

    private PdfReadingProcess() {}

    /** @param arguments the file, the folder for the results, the most pages, the most characters, and whether pages without text become pictures */
    public static void main(String[] arguments) {
        System.exit(read(Path.of(arguments[0]), Path.of(arguments[1]), Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]),
                Boolean.parseBoolean(arguments[4])));
    }

    private static int read(Path file, Path folder, int pagesMax, int charactersMax, boolean pictures) {
        FontMappers.set(new BundledTypeface());
        try (PDDocument document = Loader.loadPDF(file.toFile(), IOUtils.createTempFileOnlyStreamCache())) {
            if (document.getNumberOfPages() > pagesMax) {
                return TOO_LONG;
            }
            return read(document, folder, charactersMax, pictures);
        } catch (InvalidPasswordException encrypted) {
            return ENCRYPTED;
        } catch (IOException | RuntimeException | StackOverflowError broken) {
            return CORRUPT;
        }
    }

    private static int read(PDDocument document, Path folder, int charactersMax, boolean pictures) throws IOException {
        PDFTextStripper stripper = new PDFTextStripper();
        PDFRenderer renderer = new PDFRenderer(document);
        ArrayNode pages = new ObjectMapper().createArrayNode();
        int characters = 0;
        int drawn = 0;
        for (int number = 1; number <= document.getNumberOfPages(); number++) {
            stripper.setStartPage(number);
            stripper.setEndPage(number);
            String text = stripper.getText(document);
            characters += text.length();
            PDPage page = document.getPage(number - 1);
            boolean scanned = text.isBlank() && hasPicture(page.getResources());
            if (characters > charactersMax || scanned && pictures && (++drawn > PICTURES_MAX || isHuge(page))) {
                return TOO_LONG;
            }
            pages.addObject().put("text", text).put("scanned", scanned);
            if (scanned && pictures) {
                ImageIO.write(renderer.renderImageWithDPI(number - 1, DOTS_PER_INCH, ImageType.RGB), "png",
                        folder.resolve("page-%d.png".formatted(number)).toFile());
            }
        }
        new ObjectMapper().writeValue(folder.resolve(PAGES).toFile(), pages);
        return 0;
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
