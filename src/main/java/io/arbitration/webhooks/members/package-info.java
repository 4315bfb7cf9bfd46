/** Who may see and who may change the webhooks of an organization. */
package io.arbitration.webhooks.members;
