/** Inviting people to cases by email. */
package io.arbitration.cases.invitations;
