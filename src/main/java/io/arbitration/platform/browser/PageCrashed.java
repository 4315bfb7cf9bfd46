package io.arbitration.platform.browser;

/** The page, or the complete browser, crashed, and the page is not known to be the cause: worth another attempt. */
final class PageCrashed extends RuntimeException {

    private final boolean shown;

    PageCrashed(String message) {
        this(message, true);
    }

    /** @param shown whether the page had begun; otherwise the browser ended before it began */
    PageCrashed(String message, boolean shown) {
        super(message, null, false, false);
        this.shown = shown;
    }

    boolean wasShown() {
        return shown;
    }
}
