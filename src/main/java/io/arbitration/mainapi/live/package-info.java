/** Events of a caller's cases as they happen, for whoever keeps a connection open. */
package io.arbitration.mainapi.live;
