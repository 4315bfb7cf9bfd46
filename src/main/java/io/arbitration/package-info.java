/** The composition of a node: settings, services, areas and servers, in the order in which they start and stop. */
package io.arbitration;
