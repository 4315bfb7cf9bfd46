/** What stored objects say: text and pictures out of files that strangers made, within bounds of size, time and memory. */
package io.arbitration.ai.reading;
