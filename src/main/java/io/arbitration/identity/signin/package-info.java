/** Signing in by identity providers: with an ID token, or by a browser that is sent there and back. */
package io.arbitration.identity.signin;
