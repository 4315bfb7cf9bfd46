/** Canonical JSON (RFC 8785) and the hashes over it. */
package io.arbitration.domain.hash;
