/** What every area is given, and how the parts of a node tell their state. */
package io.arbitration.platform;
