package io.arbitration.domain.cases;

import java.util.List;

/**
 * Which files a document has.
 *
 * @param required whether at least one has to be there when the document is submitted
 * @param maxCount how many at most; 0: the document has no files
 * @param contentTypes the media types that a file may have, in lower case
 */
public record FileRule(boolean required, int maxCount, List<String> contentTypes) {

    /** Of a document type that says nothing of files. */
    public static final FileRule USUAL = new FileRule(false, 20, List.of("application/pdf"));

    public FileRule {
        contentTypes = List.copyOf(contentTypes);
    }
}
