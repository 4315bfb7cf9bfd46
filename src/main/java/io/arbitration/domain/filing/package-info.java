/** Filings: their states, what may be done with them, and the rules by which that is decided. */
package io.arbitration.domain.filing;
