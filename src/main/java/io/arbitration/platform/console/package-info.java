/** The web console as a node serves it; its sources are in {@code src/main/console}. */
package io.arbitration.platform.console;
