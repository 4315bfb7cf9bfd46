package io.arbitration.command.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import picocli.CommandLine;

class ReportOfAllTest {

    @TempDir
    private Path folder;

    private static JsonObject rate(double ratio, double least, double most) {
        return new JsonObject().put("kind", "rate").put("title", "Lists").put("name", "HTTP").put("perSecond", 1000.0)
                .put("ratio", ratio).put("ratioLeast", least).put("ratioMost", most);
    }

    private static JsonObject target(double measured, String verdict) {
        return new JsonObject().put("kind", "target").put("title", "Lists").put("name", "p99 < 3").put("measured", measured).put("comparison", "≤")
                .put("wanted", 3).put("unit", "ms").put("verdict", verdict);
    }

    private static JsonObject point(int perSecond, double millis) {
        return new JsonObject().put("kind", "latency").put("title", "Lists").put("name", "latency over rate").put("perSecond", (double) perSecond)
                .put("p50Millis", millis).put("p99Millis", 4 * millis);
    }

    private static JsonObject report(JsonObject... figures) {
        return new JsonObject().put("at", "2026-11-22T12:00:00Z").put("quick", false).put("seconds", 60)
                .put("machine", new JsonObject().put("processors", 2).put("system", "Linux").put("architecture", "amd64").put("java", "25"))
                .put("benchmarks", new JsonArray().add(new JsonObject().put("name", "docket").put("options", "--rounds 2").put("ended", "whole").put("seconds", 60)
                        .put("printed", "lists <of> & all").put("figures", new JsonArray(List.of(figures)))));
    }

    private int compared(JsonObject before, JsonObject after) throws Exception {
        Files.writeString(folder.resolve("report.json"), before.encode());
        Path other = Files.writeString(folder.resolve("after.json"), after.encode());
        return new CommandLine(new CompareBench()).execute(folder.toString(), other.toString());
    }

    @Test
    void aRatioIsSlowerWhenAllItsRoundsAreBelowAllOfTheOther() throws Exception {
        assertThat(compared(report(rate(1.5, 1.4, 1.6)), report(rate(1.3, 1.2, 1.45)))).as("the rounds overlap").isZero();
        assertThat(compared(report(rate(1.5, 1.4, 1.6)), report(rate(1.3, 1.2, 1.39)))).isEqualTo(1);
        assertThat(compared(report(rate(1.3, 1.2, 1.39)), report(rate(1.5, 1.4, 1.6)))).as("faster").isZero();
    }

    @Test
    void aFigureMeasuredOnceIsSlowerWhenItDiffersByMoreThanAQuarterOfEach() throws Exception {
        assertThat(compared(report(target(2, "reached")), report(target(3, "reached")))).isZero();
        assertThat(compared(report(target(2, "reached")), report(target(3.4, "MISSED")))).isEqualTo(1);
        assertThat(compared(report(target(2, "reached")), report(target(30, "not judged")))).as("measured on a machine that others used").isZero();
    }

    @Test
    void whatIsNoReportIsRefused() throws Exception {
        Files.writeString(folder.resolve("report.json"), "[");
        assertThat(new CommandLine(new CompareBench()).setExecutionExceptionHandler((failure, line, parsed) -> failure instanceof BenchFailed ? 3 : 4)
                .execute(folder.toString(), folder.toString())).isEqualTo(3);
    }

    @Test
    void aMachineThatOthersUseIsNotJudged() {
        assertThat(new Noise.Shares(0.97, 0.96, 0.01).tooNoisy()).isFalse();
        assertThat(new Noise.Shares(0.84, 0.96, 0.01).tooNoisy()).isTrue();
        assertThat(new Noise.Shares(0.97, 0.84, 0.01).tooNoisy()).isTrue();
        assertThat(new Noise.Shares(0.97, 0.96, 0.06).tooNoisy()).isTrue();
    }

    @Test
    void thePageShowsTargetsCurvesAndWhereThreadsAre() throws Exception {
        try (Recording recording = new Recording(Configuration.getConfiguration("profile"))) {
            recording.start();
            long end = System.nanoTime() + 400_000_000L;
            StringBuilder text = new StringBuilder();
            while (System.nanoTime() < end) {
                text.append(System.nanoTime()).reverse().setLength(20);
            }
            recording.stop();
            recording.dump(folder.resolve("1.jfr"));
        }
        List<FlameGraph> flames = FlameGraph.ofFolder("docket", folder);
        assertThat(flames).hasSize(1);
        assertThat(xml(flames.getFirst().svg()).getElementsByTagName("title").item(1).getTextContent()).matches(".+, \\d+\\.\\d %");
        String page = ReportPage.of(report(target(2, "reached"), point(300, 1), point(600, 2)), flames);
        assertThat(page).contains("<td>p99 &lt; 3<td class=\"number\">2.000<td>≤ 3 ms<td class=\"reached\">reached", "lists &lt;of&gt; &amp; all", flames.getFirst().svg());
        assertThat(xml(page.substring(page.indexOf("<svg class=\"plot\""), page.indexOf("</svg>") + 6)).getElementsByTagName("path").getLength()).isEqualTo(3);
    }

    private static Document xml(String text) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }
}
