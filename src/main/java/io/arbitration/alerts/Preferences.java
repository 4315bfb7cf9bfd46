package io.arbitration.alerts;

/** Of what a user wants to be alerted. */
record Preferences(boolean docketFilings, boolean caseCreated) {

    /** Of those who never said otherwise. */
    static final Preferences DEFAULT = new Preferences(true, true);
}
