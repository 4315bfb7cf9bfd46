/** Sends accepted emails by a mail server: the queue of copies, the message for SMTP, and the consequences of the answers. */
package io.arbitration.emails.smtp;
