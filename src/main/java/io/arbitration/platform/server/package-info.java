/** The HTTP servers of a node: their connections, the steps before every area, and the management port. */
package io.arbitration.platform.server;
