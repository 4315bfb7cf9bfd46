/** The deadlines of cases: stored when they begin to run, listed, extended, and reminded of before they end. */
package io.arbitration.cases.deadlines;
