/** The pdfs area: forms filled from templates. */
package io.arbitration.pdfs;
