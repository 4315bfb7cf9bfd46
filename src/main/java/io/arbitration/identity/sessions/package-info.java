/** Sessions: opened by a sign-in, renewed by refresh tokens, ended by their user or an administrator. */
package io.arbitration.identity.sessions;
