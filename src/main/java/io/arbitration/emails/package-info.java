/** The emails area: accepts each email once, renders it, and keeps what was sent. */
package io.arbitration.emails;
