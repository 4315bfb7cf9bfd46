/** The contracts as files and the page that shows them. */
package io.arbitration.platform.reference;
