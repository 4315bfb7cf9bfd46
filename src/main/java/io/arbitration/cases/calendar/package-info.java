/** Calendars of the deadlines and hearings of a user's cases, which programs read at secret addresses. */
package io.arbitration.cases.calendar;
