package io.arbitration.ai.context;

/** The inputs do not fit into the context of the model, even as summaries. */
public final class TooLong extends RuntimeException {

    TooLong() {
        super("more than the model can be given", null, false, false);
    }
}
