/** Publishes the event log to Kafka. */
package io.arbitration.platform.kafka;
