/** Search over what somebody may see: cases, docket entries, filings, exhibits, and the text of files. */
package io.arbitration.mainapi.search;
