/** The rules for all invitations, to organizations and to cases. */
package io.arbitration.domain.invitation;
