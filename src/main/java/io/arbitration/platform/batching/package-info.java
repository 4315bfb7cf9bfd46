/** Many requests in one statement or transaction: batching loader and command batcher. */
package io.arbitration.platform.batching;
