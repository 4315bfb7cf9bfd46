/** JSON bodies: read within bounds, parsed strictly, checked against the schema of the contract. */
package io.arbitration.platform.body;
