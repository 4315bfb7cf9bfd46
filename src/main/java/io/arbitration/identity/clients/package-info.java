/** Machine clients: programs that sign in with a client ID and a secret (RFC 6749). */
package io.arbitration.identity.clients;
