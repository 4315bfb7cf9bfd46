package io.arbitration.ai.context;

/** There is more than the model can be given, even in summaries. */
public final class TooLong extends RuntimeException {

    TooLong() {
        super("more than the model can be given", null, false, false);
    }
}
