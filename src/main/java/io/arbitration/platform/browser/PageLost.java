package io.arbitration.platform.browser;

/** The page went through no fault of its own that is known: it, or the whole browser, died. Worth another try. */
final class PageLost extends RuntimeException {

    private final boolean shown;

    PageLost(String message) {
        this(message, true);
    }

    /** @param shown whether the page had begun; else there was no room for it in a browser that ended */
    PageLost(String message, boolean shown) {
        super(message, null, false, false);
        this.shown = shown;
    }

    boolean wasShown() {
        return shown;
    }
}
