package io.arbitration.command.bench;

import java.util.Locale;
import java.util.Map;

/** What a benchmark prints: progress to stderr, figures to stdout. */
final class Report {

    private Report() {}

    static void progress(String what) {
        System.err.println("bench: " + what);
    }

    static void title(String format, Object... arguments) {
        System.out.println();
        line(format, arguments);
    }

    static void line(String format, Object... arguments) {
        System.out.printf(Locale.ROOT, format + "%n", arguments);
    }

    /** A row for SQL, which is the reference, and one for each of the others, with its ratio to the reference. */
    @SafeVarargs
    static void rates(String what, Rounds reference, Map.Entry<String, Rounds>... others) {
        rates(what, "SQL", reference, others);
    }

    /** The same for any reference. */
    @SafeVarargs
    static void rates(String what, String ofReference, Rounds reference, Map.Entry<String, Rounds>... others) {
        line("%-40s %12s  %-22s %8s %8s %10s %8s", "", what + "/s", "ratio (least–most)", "p50 ms", "p99 ms", "CPU s/1000", "RSS MB");
        line("%-40s %12.0f  %-22s%s", ofReference, reference.perSecond(), "1", reference.hasCost() ? " %17s %10.3f".formatted("", reference.cpuSecondsPerThousand()) : "");
        for (Map.Entry<String, Rounds> other : others) {
            Rounds rounds = other.getValue();
            line("%s %10.3f %8.0f", rated(other.getKey(), rounds, reference), rounds.cpuSecondsPerThousand(), rounds.residentMegabytesMax());
        }
    }

    /** A row for something whose cost is not measured. */
    static void rate(String name, Rounds rounds, Rounds reference) {
        line("%s", rated(name, rounds, reference));
    }

    private static String rated(String name, Rounds rounds, Rounds reference) {
        return String.format(Locale.ROOT, "%-40s %12.0f  %-22s %8.2f %8.2f", name, rounds.perSecond(),
                String.format(Locale.ROOT, "%.2f (%.2f–%.2f)", rounds.ratio(reference), rounds.ratioLeast(reference), rounds.ratioMost(reference)),
                rounds.p50Millis(), rounds.p99Millis());
    }

    /** A figure beside what it ought to be. */
    static void target(String what, double measured, String comparison, double wanted, String unit) {
        boolean reached = comparison.equals("≥") ? measured >= wanted : measured <= wanted;
        line("%-40s %12.3f  target %s %s %s: %s", what, measured, comparison,
                wanted == Math.rint(wanted) ? String.valueOf((long) wanted) : String.valueOf(wanted), unit, reached ? "reached" : "MISSED");
    }
}
