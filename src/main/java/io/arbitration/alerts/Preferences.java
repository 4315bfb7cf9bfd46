package io.arbitration.alerts;

/**
 * Of what a user wants to be alerted.
 *
 * @param approvals a filing awaits the user's approval
 * @param decisions a filing of the user was approved or rejected
 * @param deadlines a deadline of the user's party is near
 */
record Preferences(
        boolean docketFilings, boolean caseCreated, boolean approvals, boolean decisions, boolean deadlines, boolean hearings, boolean invitations) {

    /** Those of a user who never changed one. */
    static final Preferences DEFAULT = new Preferences(true, true, true, true, true, true, true);
}
