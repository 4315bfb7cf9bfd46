/** Which texts are values of which type of field, and mailboxes. */
package io.arbitration.domain.text;
