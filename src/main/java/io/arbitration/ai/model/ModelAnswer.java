package io.arbitration.ai.model;

/**
 * An answer of the model.
 *
 * @param model its name as the server gives it, else the configured one
 * @param whole false when the answer was cut off at its bound
 */
public record ModelAnswer(String text, String model, boolean whole, Usage usage) {

    /** Tokens as the server counts them; zero where it doesn't say. */
    public record Usage(long promptTokens, long answerTokens) {

        public static final Usage NONE = new Usage(0, 0);

        public Usage plus(Usage more) {
            return new Usage(promptTokens + more.promptTokens, answerTokens + more.answerTokens);
        }
    }
}
