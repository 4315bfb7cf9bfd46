/** Evidence: who may upload it, how much, and who sees it. */
package io.arbitration.domain.evidence;
