/** What exhibits and the files of filings have in common: how they come in, what they may be, where they are kept, how they go out. */
package io.arbitration.mainapi.files;
