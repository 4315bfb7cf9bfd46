/** Metrics, logs and traces. */
package io.arbitration.platform.telemetry;
