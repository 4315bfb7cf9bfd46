/**
 * PDF from text in any script. The JDK's own layout shapes the text, and {@link io.arbitration.platform.paper.PdfFile} writes the
 * file; PDFBox only reads fonts here. Fonts are embedded as subsets, with the text that each glyph stands for. Why this is not
 * PDFBox's or another library's: docs/decisions/032.
 */
package io.arbitration.platform.paper;
