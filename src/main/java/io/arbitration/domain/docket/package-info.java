/** The docket of a case: its entries, and the chain of hashes that proves them. */
package io.arbitration.domain.docket;
