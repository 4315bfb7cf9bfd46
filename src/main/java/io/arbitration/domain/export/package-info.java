/** The names and the format of the files in an export. */
package io.arbitration.domain.export;
