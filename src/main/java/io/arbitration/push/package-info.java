/** The push area: notifications in browsers (RFC 8030). */
package io.arbitration.push;
