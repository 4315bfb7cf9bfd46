package io.arbitration.platform.reading;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSBase;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSStream;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDResources;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.graphics.image.PDImage;
import org.apache.pdfbox.pdmodel.graphics.state.RenderingMode;
import org.apache.pdfbox.pdmodel.interactive.annotation.PDAnnotation;
import org.apache.pdfbox.rendering.ImageType;
import org.apache.pdfbox.rendering.PDFRenderer;
import org.apache.pdfbox.rendering.PageDrawer;
import org.apache.pdfbox.rendering.PageDrawerParameters;
import org.apache.pdfbox.text.PDFTextStripper;
import org.apache.pdfbox.text.TextPosition;

/**
 * Looks for text that a box only covers. Each page is drawn as a reader sees it, whatever it was covered with: a shape, an annotation,
 * or a picture over the text that a scanner has recognized. Where a word can be copied but nothing but black is seen in its place, it
 * remains; and so it does where nothing but another colour is seen, but the word is when the text of the page is drawn alone. The text of
 * annotations and of fields of forms counts as the page's own. So does text under a mark that says what is to be redacted
 * (ISO 32000-2, 12.5.6.23) and that nobody has applied.
 */
final class PdfCoverSearch {

    private static final float DOTS_PER_INCH = 96;
    private static final float POINTS_PER_INCH = 72;
    private static final float MILLIMETRES_PER_POINT = 25.4f / 72;
    private static final int PAGE_INCHES_MAX = 40;
    /** Of 255: what is darker is black to a reader. */
    private static final int BLACK_MAX = 96;
    /** A letter that is seen differs from what is behind it by more. */
    private static final int CONTRAST_MAX = 40;

    private final PDDocument document;
    private final PDFRenderer renderer;
    private final PDFRenderer textAlone;
    private boolean hasUnreadPicture;

    PdfCoverSearch(PDDocument document) {
        this.document = document;
        this.renderer = new PDFRenderer(document);
        this.textAlone = new TextAlone(document);
    }

    /** The first place; empty where no text is covered. */
    Optional<CoveredText> first() throws IOException {
        for (int page = 1; page <= document.getNumberOfPages(); page++) {
            Optional<CoveredText> covered = onPage(page);
            if (covered.isPresent()) {
                return covered;
            }
        }
        return Optional.empty();
    }

    /** Whether recognized text lay under a picture that could not be drawn, so that nobody knows whether it is covered; asked after {@link #first}. */
    boolean hasUnreadPicture() {
        return hasUnreadPicture;
    }

    private Optional<CoveredText> onPage(int number) throws IOException {
        PDPage page = document.getPage(number - 1);
        Words words = new Words(number, page);
        words.setStartPage(number);
        words.setEndPage(number);
        words.getText(document);
        hasUnreadPicture |= words.hasUnseenText && hasUnreadPicture(page.getResources());
        return Optional.ofNullable(words.covered);
    }

    /** A large page is drawn with fewer dots, so that it takes no more memory than any other. */
    private static float dotsPerInch(PDPage page) {
        float inches = Math.max(page.getCropBox().getWidth(), page.getCropBox().getHeight()) / POINTS_PER_INCH;
        return Math.min(DOTS_PER_INCH, DOTS_PER_INCH * PAGE_INCHES_MAX / inches);
    }

    private static boolean hasUnreadPicture(PDResources resources) throws IOException {
        if (resources == null) {
            return false;
        }
        for (COSName name : resources.getXObjectNames()) {
            COSBase object = resources.getCOSObject().getCOSDictionary(COSName.XOBJECT).getDictionaryObject(name);
            if (object instanceof COSStream stream && isUnread(stream.getFilters())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isUnread(COSBase filters) {
        if (filters instanceof COSArray several) {
            return several.toList().stream().anyMatch(PdfCoverSearch::isUnread);
        }
        COSName filter = filters instanceof COSName one ? one : null;
        return COSName.JBIG2_DECODE.equals(filter) && !ImageIO.getImageReadersByFormatName("JBIG2").hasNext()
                || COSName.JPX_DECODE.equals(filter) && !ImageIO.getImageReadersByFormatName("JPEG2000").hasNext();
    }

    /** Draws the letters of a page and nothing that could cover them. */
    private static final class TextAlone extends PDFRenderer {

        TextAlone(PDDocument document) {
            super(document);
        }

        @Override
        protected PageDrawer createPageDrawer(PageDrawerParameters parameters) throws IOException {
            return new PageDrawer(parameters) {
                @Override
                public void strokePath() {
                    getLinePath().reset();
                }

                @Override
                public void fillPath(int windingRule) {
                    getLinePath().reset();
                }

                @Override
                public void fillAndStrokePath(int windingRule) {
                    getLinePath().reset();
                }

                @Override
                public void drawImage(PDImage picture) {
                    // A picture has no letters that can be copied.
                }

                @Override
                public void shadingFill(COSName shading) {
                    // A surface has none either.
                }
            };
        }
    }

    private static List<PDRectangle> marks(PDPage page) throws IOException {
        return page.getAnnotations().stream().filter(annotation -> "Redact".equals(annotation.getSubtype()))
                .map(PDAnnotation::getRectangle).filter(rectangle -> rectangle != null).toList();
    }

    /** Looks at each piece of text that the page has. */
    private final class Words extends PDFTextStripper {

        private final int number;
        private final PDPage page;
        private final List<PDRectangle> marks;
        private final PDRectangle crop;
        private final float dotsPerInch;
        private final BufferedImage image;
        private BufferedImage text;
        private CoveredText covered;
        private boolean hasUnseenText;

        Words(int number, PDPage page) throws IOException {
            this.number = number;
            this.page = page;
            this.marks = marks(page);
            this.crop = page.getCropBox();
            this.dotsPerInch = dotsPerInch(page);
            this.image = renderer.renderImageWithDPI(number - 1, dotsPerInch, ImageType.GRAY);
        }

        /** The text of the page has been gathered: that of its annotations is added. */
        @Override
        protected void writePage() throws IOException {
            for (PDAnnotation annotation : page.getAnnotations()) {
                if (!annotation.isHidden() && !annotation.isNoView()) {
                    showAnnotation(annotation);
                }
            }
            super.writePage();
        }

        @Override
        protected void processTextPosition(TextPosition letter) {
            RenderingMode mode = getGraphicsState().getTextState().getRenderingMode();
            hasUnseenText |= (mode == RenderingMode.NEITHER || mode == RenderingMode.NEITHER_CLIP) && isSign(letter);
            super.processTextPosition(letter);
        }

        private static boolean isSign(TextPosition letter) {
            return letter.getUnicode() != null && letter.getUnicode().codePoints().anyMatch(Character::isLetterOrDigit);
        }

        @Override
        protected void writeString(String text, List<TextPosition> letters) throws IOException {
            if (covered != null) {
                return;
            }
            TextPosition first = null;
            int hidden = 0;
            int all = 0;
            boolean black = true;
            for (TextPosition letter : letters) {
                if (!isSign(letter)) {
                    continue;
                }
                all++;
                Seen seen = seen(letter);
                if (seen != Seen.SHOWN) {
                    hidden++;
                    black &= seen == Seen.UNDER_BLACK;
                    first = first == null ? letter : first;
                }
            }
            // One letter of a word that is seen may just be a blot.
            if (hidden >= 2 || hidden == 1 && all == 1) {
                covered = new CoveredText(number, Math.round(first.getX() * MILLIMETRES_PER_POINT), Math.round(first.getY() * MILLIMETRES_PER_POINT), black);
            }
        }

        private Seen seen(TextPosition letter) throws IOException {
            Greys greys = greys(image, letter);
            if (isMarked(letter) || greys.areBlack()) {
                return Seen.UNDER_BLACK;
            }
            return greys.areOne() && !greys(text(), letter).areOne() ? Seen.UNDER_COLOUR : Seen.SHOWN;
        }

        private BufferedImage text() throws IOException {
            if (text == null) {
                text = textAlone.renderImageWithDPI(number - 1, dotsPerInch, ImageType.GRAY);
            }
            return text;
        }

        private boolean isMarked(TextPosition letter) {
            float x = crop.getLowerLeftX() + letter.getX() + letter.getWidth() / 2;
            float y = crop.getUpperRightY() - letter.getY() + letter.getHeight() / 2;
            return letter.getDir() == 0 && marks.stream().anyMatch(mark -> mark.contains(x, y));
        }

        private Greys greys(BufferedImage picture, TextPosition letter) {
            float width = letter.getWidthDirAdj();
            float height = letter.getHeightDir();
            float x = letter.getX();
            float y = letter.getY();
            return switch ((int) letter.getDir()) {
                case 90 -> greys(picture, x - height, y - width, x, y);
                case 180 -> greys(picture, x - width, y, x, y + height);
                case 270 -> greys(picture, x, y, x + height, y + width);
                default -> greys(picture, x, y - height, x + width, y);
            };
        }

        /** In points from the upper left corner. */
        private Greys greys(BufferedImage picture, float left, float top, float right, float bottom) {
            float scale = dotsPerInch / POINTS_PER_INCH;
            int fromX = Math.max(0, (int) Math.floor(left * scale));
            int fromY = Math.max(0, (int) Math.floor(top * scale));
            int toX = Math.min(picture.getWidth(), (int) Math.ceil(right * scale));
            int toY = Math.min(picture.getHeight(), (int) Math.ceil(bottom * scale));
            int darkest = 255;
            int brightest = 0;
            for (int y = fromY; y < toY; y++) {
                for (int x = fromX; x < toX; x++) {
                    // The sample itself: the colour of a grey picture is brighter than what was drawn.
                    int grey = picture.getRaster().getSample(x, y, 0);
                    darkest = Math.min(darkest, grey);
                    brightest = Math.max(brightest, grey);
                }
            }
            return new Greys(darkest, brightest);
        }
    }

    /** How a letter that can be copied is seen. */
    private enum Seen { SHOWN, UNDER_BLACK, UNDER_COLOUR }

    /** The range of a part of a picture, from 0, black, to 255; what lies beside the picture has none, as its darkest is the brightest of all. */
    private record Greys(int darkest, int brightest) {

        boolean areOne() {
            return darkest <= brightest && brightest - darkest <= CONTRAST_MAX;
        }

        boolean areBlack() {
            return areOne() && brightest <= BLACK_MAX;
        }
    }
}
