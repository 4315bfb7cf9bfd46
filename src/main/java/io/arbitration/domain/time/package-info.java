/** Deadlines, working days, holidays, and the text form of points in time. */
package io.arbitration.domain.time;
