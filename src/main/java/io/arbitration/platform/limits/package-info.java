/** How often, and how many at once, a caller may ask. */
package io.arbitration.platform.limits;
