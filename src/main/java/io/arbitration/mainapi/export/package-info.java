/** The export of a case: a signed zip with everything that its reader may see. */
package io.arbitration.mainapi.export;
