/**
 * Work that must be done at least once, on whichever node: one table of items with leases, and the dispatcher that claims, attempts and
 * records. Areas keep what an item is about; the queue keeps when it is due and who works on it.
 */
package io.arbitration.platform.queue;
