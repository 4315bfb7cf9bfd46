/**
 * Many requests in one statement or transaction: batching loader and command batcher. And the opposite: one item after the other.
 */
package io.arbitration.platform.batching;
