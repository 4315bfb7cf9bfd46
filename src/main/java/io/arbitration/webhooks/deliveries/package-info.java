/** The history of deliveries, and making them again. */
package io.arbitration.webhooks.deliveries;
