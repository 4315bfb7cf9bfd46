/** The contracts as files, the pages that show them, the page of errors, and the documentation. */
package io.arbitration.platform.reference;
