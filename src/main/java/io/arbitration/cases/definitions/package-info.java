/** Reads the definitions of an institution: parties, phases, document types, rule sets, mail types and holidays. */
package io.arbitration.cases.definitions;
