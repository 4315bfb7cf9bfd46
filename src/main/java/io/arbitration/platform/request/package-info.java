/** What is known of every request before any area sees it: its id and the address it came from. */
package io.arbitration.platform.request;
