package io.arbitration.domain.docket;

import java.util.List;

/** The version of the canonical form in which an entry is hashed, with the members that exist only in that version. */
public sealed interface EntryForm {

    int version();

    /** The SHA-256 of each file that was filed, in order; lower-case hexadecimal. */
    List<String> files();

    /** The form of entries from before filings had files. It stays valid for ever. */
    record Version1() implements EntryForm {

        @Override
        public int version() {
            return 1;
        }

        @Override
        public List<String> files() {
            return List.of();
        }
    }

    /** @param salt 32 random bytes, as 64 hexadecimal digits; shown to readers who may see the entry */
    record Version2(String salt, List<String> files) implements EntryForm {

        public Version2 {
            files = List.copyOf(files);
        }

        @Override
        public int version() {
            return 2;
        }
    }
}
