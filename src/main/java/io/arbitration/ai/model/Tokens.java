package io.arbitration.ai.model;

/**
 * Estimates how many tokens a text takes at most. Tokenizers differ, and servers do not say which one they use. Three bytes for a
 * token is an upper bound for the usual ones: English has four bytes and more for a token, Chinese three for a character.
 */
public final class Tokens {

    /** What a server adds around a message. */
    public static final int PER_MESSAGE = 8;
    /** An image of any size; servers scale larger ones down. */
    public static final int PER_IMAGE = 1600;
    private static final int BYTES_PER_TOKEN = 3;

    private Tokens() {}

    public static int of(String text) {
        return Math.ceilDiv(bytes(text), BYTES_PER_TOKEN) + 1;
    }

    /** Bytes of UTF-8 that so many tokens hold. */
    public static int bytesOf(int tokens) {
        return Math.multiplyExact(Math.max(0, tokens - 1), BYTES_PER_TOKEN);
    }

    /** Length in UTF-8, counted without making the bytes. */
    public static int bytes(String text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            // Each half of a surrogate pair counts for two of its four bytes.
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return bytes;
    }
}
