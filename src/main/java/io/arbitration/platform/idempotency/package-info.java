/** The Idempotency-Key header: a repeated request gets the answer of the first one. */
package io.arbitration.platform.idempotency;
