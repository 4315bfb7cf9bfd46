/** The HTTP servers of a node: their connections, the entrance before any area, the management port. */
package io.arbitration.platform.server;
