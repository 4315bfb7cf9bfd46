/** The keyset that encrypts secrets in the database, the key services that encrypt the keyset, and the signing keys. */
package io.arbitration.platform.keys;
