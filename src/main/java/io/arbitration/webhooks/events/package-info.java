/** Which events concern an organization, and which of its URLs receive them. */
package io.arbitration.webhooks.events;
