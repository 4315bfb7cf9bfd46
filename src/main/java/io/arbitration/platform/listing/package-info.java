/** Pages of long lists. */
package io.arbitration.platform.listing;
