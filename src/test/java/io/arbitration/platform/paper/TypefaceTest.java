package io.arbitration.platform.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What Latin, Greek and Cyrillic do without, and what fonts lose when they become a subset. */
class TypefaceTest {

    private final Typeface typeface = Typefaces.ofMachine().base();

    @Test
    void plainCharactersHaveTheGlyphAndTheWidthThatTheLayoutGivesThem() {
        assertThat(different(typeface, 1)).isEmpty();
    }

    @Test
    void soDoThoseOfChineseJapaneseAndKorean() {
        for (int character : new int[] {0x4e00, 0xac00}) {
            Typeface eastern = Typefaces.ofMachine().of(character).orElse(typeface);
            assumeTrue(eastern != typeface, "skipped: no font for them here");
            assertThat(different(eastern, 13)).isEmpty();
        }
    }

    private static List<String> different(Typeface typeface, int step) {
        int[] all = IntStream.range(0x20, 0x10000).filter(Typeface::isPlain).filter(typeface::has).toArray();
        assertThat(all.length).isGreaterThan(400);
        int[] plain = IntStream.range(0, all.length / step).map(i -> all[i * step]).toArray();
        List<String> different = new ArrayList<>();
        for (int i = 0; i < plain.length; i++) {
            // Beside others, as ligatures and kerning would see them.
            String text = new String(new int[] {'A', plain[i], plain[(i + 1) % plain.length], 'f', plain[i], 'i', '1'}, 0, 7);
            ShapedRun fast = typeface.shape(text, false);
            ShapedRun laidOut = typeface.laidOut(text, false);
            boolean same = Arrays.equals(fast.glyphs(), laidOut.glyphs()) && Arrays.equals(fast.texts(), laidOut.texts())
                    && laidOut.rises() == null && Math.abs(fast.width() - laidOut.width()) < 0.5;
            if (!same) {
                different.add("U+%04X %s".formatted(plain[i], text));
            }
        }
        return different;
    }

    @Test
    void aSubsetHasTheWidthsOfTheWholeFontAndWhatItsGlyphsConsistOf() throws Exception {
        List<Integer> glyphs = new ArrayList<>(List.of(0));
        for (char c : "AÄgéŁőß%".toCharArray()) {
            glyphs.add(typeface.shape(String.valueOf(c), false).glyphs()[0]);
        }
        byte[] subset = typeface.subset(glyphs);
        GlyphOutlines part = new GlyphOutlines(subset);
        assertThat(part.count()).as("letters with accents consist of others in this font").isGreaterThan(glyphs.size());
        assertThat(subset.length).isLessThan(6000);
        for (int i = 0; i < glyphs.size(); i++) {
            assertThat(Math.round(part.advance(i) * 1000f / part.unitsPerEm())).isEqualTo(typeface.width(glyphs.get(i)));
        }
        assertThat(part.subset(IntStream.range(0, part.count()).boxed().toList())).as("a subset of all of it is itself").isEqualTo(subset);
    }
}
