/** Notifications: sending one while the caller waits, and the queue of those that other areas send. */
package io.arbitration.push.messages;
