package io.arbitration.domain.filing;

import io.arbitration.domain.EntryId;
import io.arbitration.domain.FilingId;

/** Provides new IDs and a salt; each is requested at most once for a command. */
public interface IdGenerator {

    FilingId filing();

    EntryId entry();

    /** 32 random bytes for a docket entry, as 64 hexadecimal digits. */
    String salt();
}
