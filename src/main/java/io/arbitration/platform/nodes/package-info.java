/** The nodes on one database: which are alive, and whether their definitions and clocks agree. */
package io.arbitration.platform.nodes;
