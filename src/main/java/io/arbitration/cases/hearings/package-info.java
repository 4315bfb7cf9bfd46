/** Hearings of cases: when and where they are held, and who is invited by which calendar entry. */
package io.arbitration.cases.hearings;
