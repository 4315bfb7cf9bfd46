/** The queue of deliveries: signing, sending, the schedule of retries, and tests of a URL. */
package io.arbitration.webhooks.sending;
