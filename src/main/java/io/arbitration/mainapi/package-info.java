/** The main API: filings, the docket, evidence and service of notice. */
package io.arbitration.mainapi;
