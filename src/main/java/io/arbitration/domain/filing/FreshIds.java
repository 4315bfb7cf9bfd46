package io.arbitration.domain.filing;

import io.arbitration.domain.EntryId;
import io.arbitration.domain.FilingId;

/** Gives the ids of what a command makes; each is asked for at most once for a command. */
public interface FreshIds {

    FilingId filing();

    EntryId entry();
}
