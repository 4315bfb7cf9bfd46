/**
 * PDF from text in any script. The JDK's own layout shapes the text, and {@link io.arbitration.platform.paper.PdfFile} writes the
 * file; PDFBox only reads fonts here. Fonts are embedded as subsets, with the text of each glyph. docs/decisions/032 says why
 * this is not done by PDFBox or another library.
 */
package io.arbitration.platform.paper;
