/** The event log, its consumers and forwarders, the audit trail, and notifications of commits. */
package io.arbitration.platform.events;
