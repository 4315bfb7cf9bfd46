/** The Idempotency-Key header: a request that is repeated is answered from what the first was answered. */
package io.arbitration.platform.idempotency;
