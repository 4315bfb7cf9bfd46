package io.arbitration.command.bench;

import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What a benchmark prints: progress to stderr, figures to stdout. */
final class Report {

    private static String title = "";

    private Report() {}

    static void progress(String what) {
        System.err.println("bench: " + what);
    }

    static void title(String format, Object... arguments) {
        System.out.println();
        line(format, arguments);
        title = format.formatted(arguments);
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
        Figures.add(new JsonObject().put("kind", "rate").put("title", title).put("name", ofReference).put("perSecond", reference.perSecond()));
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
        Figures.add(new JsonObject().put("kind", "rate").put("title", title).put("name", name).put("perSecond", rounds.perSecond())
                .put("ratio", rounds.ratio(reference)).put("ratioLeast", rounds.ratioLeast(reference)).put("ratioMost", rounds.ratioMost(reference))
                .put("p50Millis", rounds.p50Millis()).put("p99Millis", rounds.p99Millis()));
        return String.format(Locale.ROOT, "%-40s %12.0f  %-22s %8.2f %8.2f", name, rounds.perSecond(),
                String.format(Locale.ROOT, "%.2f (%.2f–%.2f)", rounds.ratio(reference), rounds.ratioLeast(reference), rounds.ratioMost(reference)),
                rounds.p50Millis(), rounds.p99Millis());
    }

    /** What a load at a fixed rate took: a point of a curve of latency over rate. */
    static void latency(String name, double perSecond, Load load) {
        Figures.add(new JsonObject().put("kind", "latency").put("title", title).put("name", name).put("perSecond", perSecond)
                .put("p50Millis", load.p50Millis()).put("p99Millis", load.p99Millis()));
        line("%-40s %12.0f  p50 %8.2f ms, p99 %8.2f ms", name, perSecond, load.p50Millis(), load.p99Millis());
    }

    /** A figure beside what it ought to be; on a machine that others used meanwhile it is not judged. */
    static void target(String what, double measured, String comparison, double wanted, String unit) {
        boolean reached = comparison.equals("≥") ? measured >= wanted : measured <= wanted;
        Optional<Noise.Shares> noise = Noise.sinceBegin().filter(Noise.Shares::tooNoisy);
        String verdict = noise.isPresent() ? "not judged" : reached ? "reached" : "MISSED";
        Figures.add(new JsonObject().put("kind", "target").put("title", title).put("name", what).put("measured", measured).put("comparison", comparison)
                .put("wanted", wanted).put("unit", unit).put("verdict", verdict));
        line("%-40s %12.3f  target %s %s %s: %s", what, measured, comparison,
                wanted == Math.rint(wanted) ? String.valueOf((long) wanted) : String.valueOf(wanted), unit,
                verdict + noise.map(shares -> " (" + shares + ")").orElse(""));
    }
}
