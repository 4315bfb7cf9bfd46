/** Reads text and pictures from stored files that strangers made, within bounds of size, time and memory. */
package io.arbitration.ai.reading;
