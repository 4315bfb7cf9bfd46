/** Captures of web pages, as attachments of notices. */
package io.arbitration.mainapi.capture;
