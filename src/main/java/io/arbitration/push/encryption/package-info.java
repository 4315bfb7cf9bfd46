/** Encryption of messages for a browser (RFC 8291). */
package io.arbitration.push.encryption;
