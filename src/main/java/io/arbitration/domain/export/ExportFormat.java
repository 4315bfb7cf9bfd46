package io.arbitration.domain.export;

import java.util.List;

/**
 * The names in the export of a case, for code that writes one and code that verifies it. The files come in any order; the
 * manifest and its signature come last.
 */
public final class ExportFormat {

    /** Value of the manifest's member {@code format}. In version 2 docket entries may be of version 2 of their canonical form. */
    public static final String NAME = "arbitration-case-export/2";
    /** The formats that can be verified. */
    public static final List<String> READABLE = List.of("arbitration-case-export/1", NAME);
    /** The header {@code typ} of the signature. */
    public static final String SIGNATURE_TYPE = "case-export+jws";
    public static final String MANIFEST = "manifest.json";
    public static final String SIGNATURE = "manifest.jws";
    public static final String README = "README.txt";
    public static final String CASE = "case.json";
    public static final String PEOPLE = "people.json";
    public static final String DOCKET_INDEX = "docket/index.json";
    public static final String EXHIBITS_INDEX = "exhibits/index.json";
    public static final String AUDIT = "audit.jsonl";
    private static final String ENTRIES = "docket/entries/";
    public static final String FILES = "docket/files/";
    private static final String EXHIBITS = "exhibits/";

    private ExportFormat() {}

    /** The index of the docket as PDFs, each with this number of entries, numbered from 1. */
    public static String indexPaper(int part) {
        return part == 1 ? "docket/index.pdf" : "docket/index-%d.pdf".formatted(part);
    }

    /** The content of a docket entry, with the members that its hash covers. */
    public static String content(int number) {
        return "%s%06d.json".formatted(ENTRIES, number);
    }

    /** The same as a PDF. */
    public static String paper(int number) {
        return "%s%06d.pdf".formatted(ENTRIES, number);
    }

    public static String receipt(int number) {
        return "%s%06d.receipt.jws".formatted(ENTRIES, number);
    }

    /**
     * A file that was filed.
     *
     * @param position among the files of the entry, from 1: no two files share a path, whatever their names are
     */
    public static String file(int number, int position, String fileName) {
        return "%s%06d-%03d %s".formatted(FILES, number, position, fileName);
    }

    /** @param exhibitNumber such as {@code C-1}: no two exhibits share a path, whatever their files are named */
    public static String exhibit(String exhibitNumber, String fileName) {
        return "%s%s %s".formatted(EXHIBITS, exhibitNumber, fileName);
    }
}
