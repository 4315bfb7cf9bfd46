/** Deadlines, working days, holidays, and how points in time are written. */
package io.arbitration.domain.time;
