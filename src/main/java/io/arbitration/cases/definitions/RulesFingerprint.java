package io.arbitration.cases.definitions;

import java.nio.file.Path;
import java.time.zone.ZoneRulesProvider;

/** A text that names all that the date of a deadline depends on beside its case: if it differs from that of the stored deadlines, they are computed again. */
public final class RulesFingerprint {

    /** To be raised by a change of the code that gives a deadline of the same rules another date or other words. */
    private static final int CALCULATION = 1;
    private static final String ZONE = "UTC";

    private RulesFingerprint() {}

    /**
     * The definition files, the releases of the holiday calendars and of the rules of time zones, and how deadlines are calculated. Reads the files.
     *
     * @param definitions their folder
     */
    public static String of(Path definitions) {
        return "%d %s %s %s".formatted(CALCULATION, DefinitionsLoader.fingerprint(definitions), JollydayCalendars.release(),
                ZoneRulesProvider.getVersions(ZONE).lastKey());
    }
}
