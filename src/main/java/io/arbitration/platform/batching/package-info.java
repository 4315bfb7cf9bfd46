/** Many requests in one statement or transaction: batching loader and command batcher. And the other way: one item after the other. */
package io.arbitration.platform.batching;
