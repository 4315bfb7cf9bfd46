/**
 * What files that strangers made say, and what is wrong with them: text, pictures and number of pages, within bounds of size, time
 * and memory. They are opened in processes of their own, never in the node; pictures alone are not opened at all.
 */
package io.arbitration.platform.reading;
