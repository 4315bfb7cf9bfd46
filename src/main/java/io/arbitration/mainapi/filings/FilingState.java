package io.arbitration.mainapi.filings;

/** Where a filing stands: draft → submitted → docketed, rejected or withdrawn; a rejected one becomes a draft by an edit. */
enum FilingState {
    DRAFT, SUBMITTED, DOCKETED, REJECTED, WITHDRAWN;

    String wireName() {
        return name().toLowerCase();
    }

    static FilingState ofWireName(String name) {
        return valueOf(name.toUpperCase());
    }
}
