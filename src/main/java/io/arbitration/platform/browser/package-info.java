/** Chromium in a sandbox, for captures of web pages and for printing emails. */
package io.arbitration.platform.browser;
