/** Reports that a mail server sends later if it could not deliver an accepted mail: their mailboxes, parsing and records. */
package io.arbitration.emails.bounces;
