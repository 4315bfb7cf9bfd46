package io.arbitration.platform.reading;

import java.util.Optional;

/**
 * What a look for text that a redacted PDF still holds found.
 *
 * @param fault that kept it from being looked at
 * @param covered the first text that is covered
 * @param remains what the file holds beside what its pages show
 */
public record PdfCoverCheck(Optional<PdfFault> fault, Optional<CoveredText> covered, Optional<PdfRemains> remains) {}
