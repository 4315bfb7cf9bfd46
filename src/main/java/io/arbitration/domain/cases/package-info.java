/** Cases: participants, phases, rule sets and document types, and who may change what. */
package io.arbitration.domain.cases;
