/** Callers: access tokens, session cookies, permissions, and revocations. */
package io.arbitration.platform.auth;
