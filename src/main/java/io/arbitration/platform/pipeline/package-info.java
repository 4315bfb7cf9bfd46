/** The operation pipeline: from a contract to a bound handler, and what every operation passes on its way in. */
package io.arbitration.platform.pipeline;
