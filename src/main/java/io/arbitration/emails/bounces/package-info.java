/** Reports that a mail server sends later when it could not deliver what it took: where they arrive, what they say, and what is recorded. */
package io.arbitration.emails.bounces;
