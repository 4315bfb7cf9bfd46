/** Service of notice: who may serve which entry of a docket, and on whom. */
package io.arbitration.domain.notice;
