/** What holds for every invitation, whether into an organization or a case. */
package io.arbitration.domain.invitation;
