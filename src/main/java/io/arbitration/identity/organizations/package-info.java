/** Organizations, their members, and invitations to join them. */
package io.arbitration.identity.organizations;
