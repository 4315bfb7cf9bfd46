package io.arbitration.command.bench;

import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The report of all benchmarks as one page that needs nothing else. */
final class ReportPage {

    private static final int PLOT_WIDTH = 560;
    private static final int PLOT_HEIGHT = 260;
    private static final int MARGIN = 46;
    private static final String STYLE = """
            :root { color-scheme: light dark; --ink: light-dark(#1d1d1b, #e8e6e1); --soft: light-dark(#6b6861, #a19d94); --line: light-dark(#dcd8cf, #3b3934);
              --good: light-dark(#1d6b3a, #7fd19b); --bad: light-dark(#a3261d, #ff9d90); --ours: light-dark(#e0a458, #8a5a1c); --other: light-dark(#dfe5ea, #38424a); }
            body { font: 16px/1.5 Georgia, serif; color: var(--ink); background: light-dark(#fbfaf7, #1a1917); max-width: 1200px; margin: 3rem auto; padding: 0 1.5rem; }
            h1, h2, h3 { font-weight: 600; line-height: 1.25; } h2 { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1.5rem; }
            table { border-collapse: collapse; width: 100%; font-size: .92rem; } th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
            td.number { text-align: right; font-variant-numeric: tabular-nums; } .reached { color: var(--good); } .MISSED { color: var(--bad); font-weight: 600; } .soft { color: var(--soft); }
            pre { font: 12px/1.45 ui-monospace, monospace; overflow-x: auto; } svg { width: 100%; height: auto; } svg text { font: 10.5px ui-monospace, monospace; fill: var(--ink); }
            .ours rect { fill: var(--ours); } .other rect { fill: var(--other); } .plot { max-width: 640px; } .plot path { fill: none; stroke-width: 2; } .p50 { stroke: var(--soft); } .p99 { stroke: var(--bad); }
            .axis { stroke: var(--line); }
            """;

    private ReportPage() {}

    static String of(JsonObject report, List<FlameGraph> flames) {
        JsonObject machine = report.getJsonObject("machine");
        StringBuilder page = new StringBuilder("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Benchmarks</title><style>").append(STYLE).append("</style><h1>Benchmarks</h1>");
        page.append("<p class=\"soft\">%s · %d processors, %s %s, Java %s · %d s%s</p>".formatted(escaped(report.getString("at")), machine.getInteger("processors"),
                escaped(machine.getString("system")), escaped(machine.getString("architecture")), escaped(machine.getString("java")), report.getLong("seconds"),
                report.getBoolean("quick") ? " · in their shortest form: the figures mean little" : ""));
        report.getJsonArray("benchmarks").forEach(each -> benchmark((JsonObject) each, page));
        if (!flames.isEmpty()) {
            page.append("<h2>Where the platform's threads are</h2><p>Each method is as wide as its share of the samples and stands above its caller; methods of the platform are darker. "
                    + "Taken in a run of their own, so that no figure above was measured while recording.</p>");
            flames.forEach(flame -> page.append("<h3>").append(escaped(flame.title())).append("</h3>").append(flame.svg()));
        }
        return page.append("</html>\n").toString();
    }

    private static void benchmark(JsonObject benchmark, StringBuilder page) {
        page.append("<h2>%s</h2><p class=\"soft\"><code>bench %s %s</code> · %d s · %s</p>".formatted(escaped(benchmark.getString("name")), escaped(benchmark.getString("name")),
                escaped(benchmark.getString("options")), benchmark.getLong("seconds"), escaped(benchmark.getString("ended"))));
        List<JsonObject> figures = benchmark.getJsonArray("figures").stream().map(JsonObject.class::cast).toList();
        List<JsonObject> targets = figures.stream().filter(figure -> figure.getString("kind").equals("target")).toList();
        if (!targets.isEmpty()) {
            page.append("<table><tr><th>target<th>measured<th>asked<th>");
            targets.forEach(target -> page.append(String.format(Locale.ROOT, "<tr><td>%s<td class=\"number\">%.3f<td>%s %s %s<td class=\"%s\">%s", escaped(target.getString("name")),
                    target.getDouble("measured"), target.getString("comparison"), target.getNumber("wanted"), escaped(target.getString("unit")),
                    target.getString("verdict"), target.getString("verdict"))));
            page.append("</table>");
        }
        Map<String, List<JsonObject>> curves = figures.stream().filter(figure -> figure.getString("kind").equals("latency"))
                .collect(Collectors.groupingBy(figure -> figure.getString("name"), LinkedHashMap::new, Collectors.toList()));
        curves.forEach((name, points) -> page.append("<h3>").append(escaped(name)).append("</h3>").append(plot(points)));
        page.append("<details><summary>What it printed</summary><pre>").append(escaped(benchmark.getString("printed"))).append("</pre></details>");
    }

    /** Latency over rate, both on logarithmic axes. */
    private static String plot(List<JsonObject> points) {
        double rateLeast = points.stream().mapToDouble(point -> point.getDouble("perSecond")).min().orElseThrow();
        double rateMost = points.stream().mapToDouble(point -> point.getDouble("perSecond")).max().orElseThrow();
        double least = points.stream().mapToDouble(point -> point.getDouble("p50Millis")).min().orElseThrow();
        double most = points.stream().mapToDouble(point -> point.getDouble("p99Millis")).max().orElseThrow();
        StringBuilder svg = new StringBuilder("<svg class=\"plot\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"latency over rate\">".formatted(PLOT_WIDTH, PLOT_HEIGHT));
        svg.append("<path class=\"axis\" d=\"M%d %d V%d H%d\"/>".formatted(MARGIN, MARGIN / 2, PLOT_HEIGHT - MARGIN, PLOT_WIDTH - MARGIN / 2));
        for (String quantile : List.of("p50", "p99")) {
            String path = points.stream().map(point -> String.format(Locale.ROOT, "%.1f %.1f", x(point.getDouble("perSecond"), rateLeast, rateMost),
                    y(point.getDouble(quantile + "Millis"), least, most))).collect(Collectors.joining(" L", "M", ""));
            svg.append("<path class=\"%s\" d=\"%s\"/>".formatted(quantile, path));
            JsonObject last = points.getLast();
            svg.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s %.1f ms</text>", x(last.getDouble("perSecond"), rateLeast, rateMost),
                    y(last.getDouble(quantile + "Millis"), least, most) - 6, quantile, last.getDouble(quantile + "Millis")));
        }
        for (JsonObject point : points) {
            svg.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.0f/s</text>", x(point.getDouble("perSecond"), rateLeast, rateMost),
                    PLOT_HEIGHT - MARGIN / 2, point.getDouble("perSecond")));
        }
        return svg.append(String.format(Locale.ROOT, "<text x=\"2\" y=\"%d\">%.1f ms</text><text x=\"2\" y=\"%d\">%.1f ms</text></svg>", MARGIN / 2, most, PLOT_HEIGHT - MARGIN, least)).toString();
    }

    private static double x(double rate, double least, double most) {
        return MARGIN + (PLOT_WIDTH - 2.0 * MARGIN) * place(rate, least, most);
    }

    private static double y(double millis, double least, double most) {
        return PLOT_HEIGHT - MARGIN - (PLOT_HEIGHT - 1.5 * MARGIN) * place(millis, least, most);
    }

    private static double place(double value, double least, double most) {
        return most <= least ? 0.5 : Math.log(value / least) / Math.log(most / least);
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
