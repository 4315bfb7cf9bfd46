/** The deadlines of cases: kept when they begin to run, listed, extended, and told of before they end. */
package io.arbitration.cases.deadlines;
