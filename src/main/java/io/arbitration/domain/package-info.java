/** The rules and terms of arbitration. This package uses no HTTP, SQL, JSON of the interfaces, clock or randomness. */
package io.arbitration.domain;
