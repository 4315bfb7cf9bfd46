/** Hearings of cases: their times and places, and their calendar entries for participants. */
package io.arbitration.cases.hearings;
