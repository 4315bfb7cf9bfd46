package io.arbitration.platform.reading;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.interactive.annotation.PDAnnotation;
import org.apache.pdfbox.rendering.ImageType;
import org.apache.pdfbox.rendering.PDFRenderer;
import org.apache.pdfbox.text.PDFTextStripper;
import org.apache.pdfbox.text.TextPosition;

/**
 * Looks for text that a black box only covers. Each page is drawn as a reader sees it, whatever it was covered with: a shape, an annotation,
 * or a picture over the text that a scanner has recognized. Where a word can be copied but nothing but black is seen in its place, it
 * remains. So does text under a mark that says what is to be redacted (ISO 32000-2, 12.5.6.23) and that nobody has applied.
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

    PdfCoverSearch(PDDocument document) {
        this.document = document;
        this.renderer = new PDFRenderer(document);
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

    private Optional<CoveredText> onPage(int number) throws IOException {
        PDPage page = document.getPage(number - 1);
        Words words = new Words(number, marks(page), page.getCropBox());
        if (Math.max(page.getCropBox().getWidth(), page.getCropBox().getHeight()) <= PAGE_INCHES_MAX * POINTS_PER_INCH) {
            words.image = renderer.renderImageWithDPI(number - 1, DOTS_PER_INCH, ImageType.GRAY);
        }
        words.setStartPage(number);
        words.setEndPage(number);
        words.getText(document);
        return Optional.ofNullable(words.covered);
    }

    private static List<PDRectangle> marks(PDPage page) throws IOException {
        return page.getAnnotations().stream().filter(annotation -> "Redact".equals(annotation.getSubtype()))
                .map(PDAnnotation::getRectangle).filter(rectangle -> rectangle != null).toList();
    }

    /** Looks at each piece of text that the page has. */
    private static final class Words extends PDFTextStripper {

        private final int number;
        private final List<PDRectangle> marks;
        private final PDRectangle crop;
        private BufferedImage image;
        private CoveredText covered;

        Words(int number, List<PDRectangle> marks, PDRectangle crop) {
            this.number = number;
            this.marks = marks;
            this.crop = crop;
        }

        @Override
        protected void writeString(String text, List<TextPosition> letters) {
            if (covered != null) {
                return;
            }
            TextPosition first = null;
            int hidden = 0;
            int all = 0;
            for (TextPosition letter : letters) {
                boolean isSign = letter.getUnicode() != null && letter.getUnicode().codePoints().anyMatch(Character::isLetterOrDigit);
                if (!isSign) {
                    continue;
                }
                all++;
                if (isMarked(letter) || isBlack(letter)) {
                    hidden++;
                    first = first == null ? letter : first;
                }
            }
            // One letter of a word that is seen may just be a blot.
            if (hidden >= 2 || hidden == 1 && all == 1) {
                covered = new CoveredText(number, Math.round(first.getX() * MILLIMETRES_PER_POINT), Math.round(first.getY() * MILLIMETRES_PER_POINT));
            }
        }

        private boolean isMarked(TextPosition letter) {
            float x = crop.getLowerLeftX() + letter.getX() + letter.getWidth() / 2;
            float y = crop.getUpperRightY() - letter.getY() + letter.getHeight() / 2;
            return letter.getDir() == 0 && marks.stream().anyMatch(mark -> mark.contains(x, y));
        }

        private boolean isBlack(TextPosition letter) {
            if (image == null) {
                return false;
            }
            float width = letter.getWidthDirAdj();
            float height = letter.getHeightDir();
            float x = letter.getX();
            float y = letter.getY();
            return switch ((int) letter.getDir()) {
                case 90 -> isBlack(x - height, y - width, x, y);
                case 180 -> isBlack(x - width, y, x, y + height);
                case 270 -> isBlack(x, y, x + height, y + width);
                default -> isBlack(x, y - height, x + width, y);
            };
        }

        /** In points from the upper left corner. */
        private boolean isBlack(float left, float top, float right, float bottom) {
            float scale = DOTS_PER_INCH / POINTS_PER_INCH;
            int fromX = Math.max(0, (int) Math.floor(left * scale));
            int fromY = Math.max(0, (int) Math.floor(top * scale));
            int toX = Math.min(image.getWidth(), (int) Math.ceil(right * scale));
            int toY = Math.min(image.getHeight(), (int) Math.ceil(bottom * scale));
            if (fromX >= toX || fromY >= toY) {
                return false;
            }
            int darkest = 255;
            int brightest = 0;
            for (int y = fromY; y < toY; y++) {
                for (int x = fromX; x < toX; x++) {
                    // The sample itself: the colour of a grey picture is brighter than what was drawn.
                    int grey = image.getRaster().getSample(x, y, 0);
                    darkest = Math.min(darkest, grey);
                    brightest = Math.max(brightest, grey);
                }
            }
            return brightest <= BLACK_MAX && brightest - darkest <= CONTRAST_MAX;
        }
    }
}
