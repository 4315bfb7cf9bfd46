package io.arbitration.platform.browser;

/** The page, or the whole browser, died, and the page is not known to be the cause: worth another try. */
final class PageLost extends RuntimeException {

    private final boolean shown;

    PageLost(String message) {
        this(message, true);
    }

    /** @param shown whether the page had begun; else the browser ended before it began */
    PageLost(String message, boolean shown) {
        super(message, null, false, false);
        this.shown = shown;
    }

    boolean wasShown() {
        return shown;
    }
}
