/** Search in everything that a user may see: cases, docket entries, filings, exhibits, and the text of files. */
package io.arbitration.mainapi.search;
