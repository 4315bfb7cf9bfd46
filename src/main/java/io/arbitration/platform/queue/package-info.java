/**
 * Work that must be done at least once, on whichever node: one table of items with leases ({@link LeaseQueue}), and the
 * dispatcher that claims, attempts and records. Areas keep what an item is about; the queue keeps when it is due and who works on it.
 * Webhook deliveries and push messages use the dispatcher on tables of their own, because each URL and each push service has a bound.
 */
package io.arbitration.platform.queue;
