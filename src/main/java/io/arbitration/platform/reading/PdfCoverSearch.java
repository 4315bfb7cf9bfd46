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
import org.apache.pdfbox.pdmodel.font.PDFont;
import org.apache.pdfbox.pdmodel.graphics.blend.BlendMode;
import org.apache.pdfbox.pdmodel.graphics.color.PDDeviceGray;
import org.apache.pdfbox.pdmodel.graphics.image.PDImage;
import org.apache.pdfbox.pdmodel.graphics.state.PDGraphicsState;
import org.apache.pdfbox.pdmodel.graphics.state.RenderingMode;
import org.apache.pdfbox.pdmodel.interactive.annotation.PDAnnotation;
import org.apache.pdfbox.rendering.ImageType;
import org.apache.pdfbox.rendering.PDFRenderer;
import org.apache.pdfbox.rendering.PageDrawer;
import org.apache.pdfbox.rendering.PageDrawerParameters;
import org.apache.pdfbox.text.PDFTextStripper;
import org.apache.pdfbox.text.TextPosition;
import org.apache.pdfbox.util.Matrix;
import org.apache.pdfbox.util.Vector;

/**
 * Finds words that a page does not show and that can still be copied from it. Each page is drawn as a reader sees it, with shapes,
 * annotations and pictures over its text. A word is found in three cases. Nothing but black is seen in its place. Nothing but another
 * colour is seen there, and the word is seen when the text of the page is drawn alone. Or nothing at all is seen of the whole word: it has
 * the colour of its paper or no colour, a path cuts it off, or it was recognized in a picture that shows no word there. The text of
 * annotations and of form fields counts as text of the page, and so does text under a mark for redaction that nobody has applied (ISO
 * 32000-2, 12.5.6.23). Text outside of the visible part of a page is reported separately.
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
    /** A letter that differs by no more from what is behind it is not seen at all; a pale one on a letterhead is. */
    private static final int NO_CONTRAST_MAX = 4;
    /** Of fewer letters nobody knows whether a scanner has recognized a speck. */
    private static final int UNSEEN_LETTERS_MIN = 3;

    private final PDDocument document;
    private final PDFRenderer renderer;
    private final PDFRenderer textAlone;
    private final PDFRenderer textInBlack;
    private boolean hasUnreadPicture;
    private boolean hasTextOutside;

    PdfCoverSearch(PDDocument document) {
        this.document = document;
        this.renderer = new PDFRenderer(document);
        this.textAlone = new TextAlone(document, false);
        this.textInBlack = new TextAlone(document, true);
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

    /**
     * What else was found on the way: that recognized text lay under a picture that could not be drawn, so that nobody knows whether it is
     * covered; or that text stands beside what is shown of a page. Asked after {@link #first}.
     */
    Optional<PdfRemains> remains() {
        return hasUnreadPicture ? Optional.of(PdfRemains.UNREAD_PICTURE) : hasTextOutside ? Optional.of(PdfRemains.OUTSIDE_OF_PAGE) : Optional.empty();
    }

    private Optional<CoveredText> onPage(int number) throws IOException {
        PDPage page = document.getPage(number - 1);
        Words words = new Words(number, page);
        words.setStartPage(number);
        words.setEndPage(number);
        words.getText(document);
        hasUnreadPicture |= words.hasUnseenText && words.isUnread;
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

        private final boolean inBlack;

        /** @param inBlack whether all letters are black and whole, whatever their colour is and whatever cuts them off */
        TextAlone(PDDocument document, boolean inBlack) {
            super(document);
            this.inBlack = inBlack;
        }

        @Override
        protected PageDrawer createPageDrawer(PageDrawerParameters parameters) throws IOException {
            return new PageDrawer(parameters) {
                @Override
                public void clip(int windingRule) {
                    if (!inBlack) {
                        super.clip(windingRule);
                    }
                }

                @Override
                protected void showFontGlyph(Matrix matrix, PDFont font, int code, Vector displacement) throws IOException {
                    if (!inBlack) {
                        super.showFontGlyph(matrix, font, code, displacement);
                        return;
                    }
                    saveGraphicsState();
                    PDGraphicsState state = getGraphicsState();
                    state.getTextState().setRenderingMode(RenderingMode.FILL);
                    state.setNonStrokingColorSpace(PDDeviceGray.INSTANCE);
                    state.setNonStrokingColor(PDDeviceGray.INSTANCE.getInitialColor());
                    state.setNonStrokeAlphaConstant(1);
                    state.setSoftMask(null);
                    state.setBlendMode(BlendMode.NORMAL);
                    super.showFontGlyph(matrix, font, code, displacement);
                    restoreGraphicsState();
                }

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
        private final boolean isUnread;
        private final BufferedImage image;
        private BufferedImage text;
        private BufferedImage blackText;
        private CoveredText covered;
        private boolean hasUnseenText;

        Words(int number, PDPage page) throws IOException {
            this.number = number;
            this.page = page;
            this.marks = marks(page);
            this.crop = page.getCropBox();
            this.dotsPerInch = dotsPerInch(page);
            this.isUnread = PdfCoverSearch.hasUnreadPicture(page.getResources());
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
            int outside = 0;
            int unseen = 0;
            int all = 0;
            boolean black = true;
            for (TextPosition letter : letters) {
                if (!isSign(letter)) {
                    continue;
                }
                all++;
                Seen seen = seen(letter);
                switch (seen) {
                    case SHOWN -> { }
                    case OUTSIDE -> outside++;
                    case UNSEEN -> unseen++;
                    case UNDER_BLACK, UNDER_COLOUR -> {
                        hidden++;
                        black &= seen == Seen.UNDER_BLACK;
                    }
                }
                first = first == null && seen != Seen.SHOWN ? letter : first;
            }
            // A letter may reach over the edge.
            hasTextOutside |= outside >= 2;
            // One letter of a word that is seen may just be a blot.
            if (hidden >= 2 || hidden == 1 && all == 1 || unseen == all && unseen >= UNSEEN_LETTERS_MIN) {
                covered = new CoveredText(number, Math.round(first.getX() * MILLIMETRES_PER_POINT), Math.round(first.getY() * MILLIMETRES_PER_POINT), black && hidden > 0);
            }
        }

        private Seen seen(TextPosition letter) throws IOException {
            Greys greys = greys(image, letter);
            if (greys.equals(Greys.BESIDE)) {
                return Seen.OUTSIDE;
            }
            if (isMarked(letter) || greys.areBlack()) {
                return Seen.UNDER_BLACK;
            }
            if (greys.areOne() && !greys(text(), letter).areOne()) {
                return Seen.UNDER_COLOUR;
            }
            return !isUnread && greys.areTheSame() && !greys(blackText(), letter).areOne() ? Seen.UNSEEN : Seen.SHOWN;
        }

        private BufferedImage blackText() throws IOException {
            if (blackText == null) {
                blackText = textInBlack.renderImageWithDPI(number - 1, dotsPerInch, ImageType.GRAY);
            }
            return blackText;
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
            if (right * scale <= 0 || bottom * scale <= 0 || left * scale >= picture.getWidth() || top * scale >= picture.getHeight()) {
                return Greys.BESIDE;
            }
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
    private enum Seen { SHOWN, UNDER_BLACK, UNDER_COLOUR, UNSEEN, OUTSIDE }

    /** The range of a part of a picture, from 0, black, to 255; of a part without a dot the darkest is the brightest of all. */
    private record Greys(int darkest, int brightest) {

        /** Of what lies beside the picture. */
        static final Greys BESIDE = new Greys(255, -1);

        boolean areTheSame() {
            return darkest <= brightest && brightest - darkest <= NO_CONTRAST_MAX;
        }

        boolean areOne() {
            return darkest <= brightest && brightest - darkest <= CONTRAST_MAX;
        }

        boolean areBlack() {
            return areOne() && brightest <= BLACK_MAX;
        }
    }
}
