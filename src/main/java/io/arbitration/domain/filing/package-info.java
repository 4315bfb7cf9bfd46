/** Filings: their states, the commands on them, and the rules that decide these. */
package io.arbitration.domain.filing;
