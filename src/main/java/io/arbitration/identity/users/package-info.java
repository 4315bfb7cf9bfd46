/** Users of the platform, their names and their permissions. */
package io.arbitration.identity.users;
