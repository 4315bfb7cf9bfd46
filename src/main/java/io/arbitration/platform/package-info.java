/** What every area is given, and how the parts of a node report their state. */
package io.arbitration.platform;
