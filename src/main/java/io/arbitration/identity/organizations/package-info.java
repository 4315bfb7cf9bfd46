/** Organizations, their members, and invitations to become one. */
package io.arbitration.identity.organizations;
