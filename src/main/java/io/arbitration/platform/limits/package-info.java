/** Rates and concurrency limits of callers. */
package io.arbitration.platform.limits;
