/** The webhooks area: events of cases posted to the URLs of organizations. */
package io.arbitration.webhooks;
