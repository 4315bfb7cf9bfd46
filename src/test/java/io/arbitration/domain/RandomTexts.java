package io.arbitration.domain;

import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Many random texts for a test of something that reads any text. A plain loop: the tests of the rules together take less than a second. */
public final class RandomTexts {

    /** What readers of texts treat in a way of its own: signs of addresses, queries and formats, marks, digits and spaces of other scripts. */
    private static final int[] SPECIAL = "\"'\\-+@<>(),;:.%/_#&=?!*~ \t\r\n\u0000\u001f\u007f\u0085\u00a0\u00ad\u00bd\u0301\u0130\u0345\u0660\u200b\u200d\u200f\u2011\u2019\u201c\u2028\u2163\u3000\ufb01\ufeff\uff10\uffff"
            .chars().toArray();

    private RandomTexts() {}

    /**
     * Gives so many texts to a test.
     *
     * @param lengthMax in characters of UTF-16
     * @throws AssertionError with the text and the seed, when the test fails
     */
    public static void each(int count, int lengthMax, Consumer<String> test) {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < count; i++) {
            String text = text(random, lengthMax);
            try {
                test.accept(text);
            } catch (RuntimeException | AssertionError failed) {
                StringBuilder escaped = new StringBuilder();
                text.chars().forEach(unit -> escaped.append("\\u%04x".formatted(unit)));
                throw new AssertionError("seed %d, text %d: \"%s\"".formatted(seed, i, escaped), failed);
            }
        }
    }

    private static String text(SplittableRandom random, int lengthMax) {
        // Short ones as often as long ones; a text of one kind of character as often as a mixed one.
        int length = random.nextInt(random.nextInt(lengthMax + 1) + 1);
        int kind = random.nextInt(10);
        StringBuilder text = new StringBuilder(lengthMax);
        while (text.length() < length) {
            append(text, kind < 5 ? kind : random.nextInt(5), random);
        }
        text.setLength(length);
        return text.toString();
    }

    private static void append(StringBuilder text, int kind, SplittableRandom random) {
        switch (kind) {
            case 0 -> text.append((char) random.nextInt(0x20, 0x7f));
            case 1 -> text.append((char) SPECIAL[random.nextInt(SPECIAL.length)]);
            // Halves of surrogate pairs among them.
            case 2 -> text.append((char) random.nextInt(0x10000));
            case 3 -> text.appendCodePoint(random.nextInt(0x4e00, 0x9fff));
            default -> text.appendCodePoint(random.nextInt(Character.MAX_CODE_POINT + 1));
        }
    }
}
