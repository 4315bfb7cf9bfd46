/**
 * PDF from text in any script. The JDK's own layout shapes it, PDFBox writes the file; PDFBox alone would draw Arabic
 * unshaped and left to right. Fonts are embedded as subsets with the text that each glyph stands for.
 */
package io.arbitration.platform.paper;
