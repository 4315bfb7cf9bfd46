/** Signing in with identity providers: with an ID token, or by redirecting a browser to the provider and back. */
package io.arbitration.identity.signin;
