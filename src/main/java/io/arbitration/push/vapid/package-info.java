/** The key pairs with which the platform signs at push services (RFC 8292). */
package io.arbitration.push.vapid;
