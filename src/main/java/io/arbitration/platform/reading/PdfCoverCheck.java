package io.arbitration.platform.reading;

import java.util.Optional;

/**
 * What a look under the black boxes of a PDF found.
 *
 * @param fault that kept it from being looked at
 * @param covered the first text that is covered
 */
public record PdfCoverCheck(Optional<PdfFault> fault, Optional<CoveredText> covered) {}
