/** Filings of documents: decided in batches, listed, and proved by receipts. */
package io.arbitration.mainapi.filings;
