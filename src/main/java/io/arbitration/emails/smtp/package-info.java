/** Sends accepted emails by a mail server: the queue of copies, the message as SMTP takes it, and what follows from the answers. */
package io.arbitration.emails.smtp;
