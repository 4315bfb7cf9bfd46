/** How values are checked against a template and written into a filled form. */
package io.arbitration.pdfs.fill;
