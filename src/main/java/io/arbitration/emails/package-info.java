/** The emails area: accepts each email once, renders it, and stores the sent message. */
package io.arbitration.emails;
