package io.arbitration.platform.browser;

import io.arbitration.platform.answer.ApiError;

/** The reasons why no page can be shown now. */
enum PagesError implements ApiError {
    BUSY(503, "browser.busy", "Too many pages are being shown, try again later."),
    MISSING(503, "browser.missing", "There is no browser on this node, so pages cannot be shown."),
    DOWN(503, "browser.down", "The browser of this node does not work, so pages cannot be shown.");

    private final Terms terms;

    PagesError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
