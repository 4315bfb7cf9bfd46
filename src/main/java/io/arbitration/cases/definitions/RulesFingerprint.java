package io.arbitration.cases.definitions;

import java.nio.file.Path;
import java.time.zone.ZoneRulesProvider;

/**
 * A text with all inputs, other than the case, of the dates of deadlines: if it differs from that of the stored deadlines, they
 * are computed again.
 */
public final class RulesFingerprint {

    /** To be increased by a change of the code that changes the date or the explanation of a deadline by the same rules. */
    private static final int CALCULATION = 1;
    private static final String ZONE = "UTC";

    private RulesFingerprint() {}

    /**
     * The definition files, the releases of the holiday calendars and of the time zone rules, and the number of the calculation.
     * Reads the files.
     *
     * @param definitions their folder
     */
    public static String of(Path definitions) {
        return "%d %s %s %s".formatted(CALCULATION, DefinitionsLoader.fingerprint(definitions), JollydayCalendars.release(),
                ZoneRulesProvider.getVersions(ZONE).lastKey());
    }
}
