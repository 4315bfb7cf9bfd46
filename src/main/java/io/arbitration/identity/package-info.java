/** The identity area: users, organizations and machine clients, how they sign in, and what they may do. */
package io.arbitration.identity;
