/** Notifications: sending one while the caller waits, and the queue of notifications from other areas. */
package io.arbitration.push.messages;
