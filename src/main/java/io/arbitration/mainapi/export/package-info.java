/** The export of a case: a signed zip with all that its reader may see. */
package io.arbitration.mainapi.export;
