/** Evidence: who may upload what, how much, and who sees it. */
package io.arbitration.domain.evidence;
