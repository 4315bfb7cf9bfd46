/** The docket of a case: its entries, listed, verified, rendered as PDF, and sealed. */
package io.arbitration.mainapi.docket;
