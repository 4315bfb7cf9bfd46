/** The shared parts of exhibits and files of filings: upload, allowed types, storage and download. */
package io.arbitration.mainapi.files;
