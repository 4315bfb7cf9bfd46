/**
 * What files that strangers made say, and what is wrong with them: text, pictures and number of pages, within bounds of size, time
 * and memory. PDFs are opened in processes of their own, never in the node.
 */
package io.arbitration.platform.reading;
