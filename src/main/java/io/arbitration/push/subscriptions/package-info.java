/** The browsers that receive notifications. */
package io.arbitration.push.subscriptions;
