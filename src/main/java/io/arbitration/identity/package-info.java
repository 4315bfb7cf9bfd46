/** The identity area: users, organizations and machine clients, their sign-in and their rights. */
package io.arbitration.identity;
