package io.arbitration.platform.reading;

import java.io.IOException;
import java.text.Normalizer;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;

/**
 * The words of a text that mean something without the words around them: those of three or more letters, or of five or more digits. Of
 * scripts without spaces, every two characters that follow each other.
 */
final class TextWords {

    private static final Pattern WITHOUT_SPACES = Pattern.compile("[\\p{IsHan}\\p{IsHiragana}\\p{IsKatakana}\\p{IsThai}\\p{IsLao}\\p{IsKhmer}\\p{IsMyanmar}]+");
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{M}\\p{N}]+");
    private static final int LETTERS_MIN = 3;
    private static final int DIGITS_MIN = 5;

    private TextWords() {}

    /** Those of the pages of a PDF. */
    static Set<String> of(PDDocument document) throws IOException {
        PDFTextStripper stripper = new PDFTextStripper();
        Set<String> words = new HashSet<>();
        for (int page = 1; page <= document.getNumberOfPages(); page++) {
            stripper.setStartPage(page);
            stripper.setEndPage(page);
            words.addAll(of(stripper.getText(document)));
        }
        return words;
    }

    static Set<String> of(String text) {
        String normal = Normalizer.normalize(text, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
        Set<String> words = new HashSet<>();
        Matcher runs = WITHOUT_SPACES.matcher(normal);
        while (runs.find()) {
            for (int at = runs.start(); at + 1 < runs.end(); at++) {
                words.add(normal.substring(at, at + 2));
            }
        }
        Matcher others = WORD.matcher(WITHOUT_SPACES.matcher(normal).replaceAll(" "));
        while (others.find()) {
            String word = others.group();
            if (word.length() >= (word.chars().allMatch(Character::isDigit) ? DIGITS_MIN : LETTERS_MIN)) {
                words.add(word);
            }
        }
        return words;
    }
}
