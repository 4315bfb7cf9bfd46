/** Who asks: access tokens, session cookies, permissions, and what was revoked. */
package io.arbitration.platform.auth;
