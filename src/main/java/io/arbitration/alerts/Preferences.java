package io.arbitration.alerts;

/** Of what a user wants to be alerted. */
record Preferences(boolean docketFilings, boolean caseCreated) {

    /** Those of a user who never changed one. */
    static final Preferences DEFAULT = new Preferences(true, true);
}
