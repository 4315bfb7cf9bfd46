package io.arbitration.domain.filing;

import io.arbitration.domain.EntryId;
import io.arbitration.domain.FilingId;

/** Gives what a command makes its ids and its salt; each is asked for at most once for a command. */
public interface FreshIds {

    FilingId filing();

    EntryId entry();

    /** 32 random bytes for a docket entry, as 64 hexadecimal digits. */
    String salt();
}
