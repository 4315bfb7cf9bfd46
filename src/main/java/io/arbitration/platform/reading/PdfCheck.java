package io.arbitration.platform.reading;

import java.util.Optional;

/**
 * What a check of a PDF found.
 *
 * @param pages 0 where a fault kept them from being counted
 * @param fault the first that was found
 */
public record PdfCheck(int pages, Optional<PdfFault> fault) {}
