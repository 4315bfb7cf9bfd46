/** The callback URLs that organizations register. */
package io.arbitration.webhooks.urls;
