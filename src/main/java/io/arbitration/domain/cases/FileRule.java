package io.arbitration.domain.cases;

import java.util.List;

/**
 * The rule for the files of a document.
 *
 * @param required whether a submission needs at least one file
 * @param maxCount how many at most; 0: the document has no files
 * @param contentTypes the media types that a file may have, in lower case
 */
public record FileRule(boolean required, int maxCount, List<String> contentTypes) {

    /** For a document type without a rule of its own. */
    public static final FileRule USUAL = new FileRule(false, 20, List.of("application/pdf"));

    public FileRule {
        contentTypes = List.copyOf(contentTypes);
    }
}
