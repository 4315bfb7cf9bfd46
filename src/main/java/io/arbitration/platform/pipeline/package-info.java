/** The operation pipeline: from a contract to a bound handler, with the steps before every operation. */
package io.arbitration.platform.pipeline;
