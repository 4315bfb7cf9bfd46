/** The rules and words of arbitration. Nothing here knows HTTP, SQL, JSON of the wire, a clock or randomness. */
package io.arbitration.domain;
