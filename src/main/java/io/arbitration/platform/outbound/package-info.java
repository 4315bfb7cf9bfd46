/** Calls to addresses that users gave: which may be called, and how. Includes the proxy of the browser. */
package io.arbitration.platform.outbound;
