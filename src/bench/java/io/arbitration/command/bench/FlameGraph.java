package io.arbitration.command.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/** Where the threads of one JVM were while it was recorded: each method as wide as the share of samples in which it ran, above the one that called it. */
final class FlameGraph {

    private static final int WIDTH = 1200;
    private static final int ROW = 17;
    private static final int DEPTH_MOST = 90;
    /** Narrower boxes are left out. */
    private static final double PIXELS_LEAST = 1.5;
    private static final double PIXELS_PER_LETTER = 6.2;

    /** What makes the name of the class of a lambda unique: the same one would be many. */
    private static final Pattern HIDDEN = Pattern.compile("[./]0x[0-9a-f]+");

    private final String name;
    private final Method root = new Method();

    private FlameGraph(String name) {
        this.name = name;
    }

    /** A method called from one other, and what it called. */
    private static final class Method {

        private final Map<String, Method> called = new TreeMap<>();
        private long samples;
    }

    /** Of each recording in a folder that has samples. */
    static List<FlameGraph> ofFolder(String name, Path folder) throws IOException {
        List<Path> recordings;
        try (Stream<Path> files = Files.list(folder)) {
            recordings = files.filter(file -> file.toString().endsWith(".jfr")).sorted().toList();
        }
        List<FlameGraph> graphs = new ArrayList<>();
        for (Path recording : recordings) {
            FlameGraph graph = new FlameGraph(name);
            try (RecordingFile events = new RecordingFile(recording)) {
                while (events.hasMoreEvents()) {
                    graph.add(events.readEvent());
                }
            }
            if (graph.root.samples > 0) {
                graphs.add(graph);
            }
        }
        return graphs;
    }

    private void add(RecordedEvent event) {
        if (!event.getEventType().getName().equals("jdk.ExecutionSample") || event.getStackTrace() == null) {
            return;
        }
        List<RecordedFrame> frames = event.getStackTrace().getFrames();
        Method at = root;
        at.samples++;
        for (int i = frames.size() - 1; i >= Math.max(0, frames.size() - DEPTH_MOST); i--) {
            var method = frames.get(i).getMethod();
            at = at.called.computeIfAbsent(HIDDEN.matcher(method.getType().getName()).replaceAll("") + "." + method.getName(), first -> new Method());
            at.samples++;
        }
    }

    String title() {
        return "%s: %d samples".formatted(name, root.samples);
    }

    /** A drawing for a page; the name and share of each method are told by its title. */
    String svg() {
        int depth = depth(root);
        StringBuilder boxes = new StringBuilder();
        draw(root, "all", 0, 0, depth, boxes);
        return "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%s</svg>".formatted(WIDTH, (depth + 1) * ROW, ReportPage.escaped(title()), boxes);
    }

    private double width(Method method) {
        return (double) WIDTH * method.samples / root.samples;
    }

    private int depth(Method method) {
        return method.called.values().stream().filter(one -> width(one) >= PIXELS_LEAST).mapToInt(one -> 1 + depth(one)).max().orElse(0);
    }

    private void draw(Method method, String called, double x, int level, int depth, StringBuilder boxes) {
        double width = width(method);
        if (width < PIXELS_LEAST) {
            return;
        }
        int y = (depth - level) * ROW;
        boolean ours = called.startsWith("io.arbitration.");
        boxes.append(String.format(Locale.ROOT, "<g class=\"%s\"><title>%s, %.1f %%</title><rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>",
                ours ? "ours" : "other", ReportPage.escaped(called), 100.0 * method.samples / root.samples, x, y, width - 0.5, ROW - 1));
        String label = called.substring(called.lastIndexOf('.', Math.max(0, called.lastIndexOf('.') - 1)) + 1);
        int letters = (int) (width / PIXELS_PER_LETTER) - 1;
        if (letters >= 4) {
            boxes.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%d\">%s</text>", x + 3, y + 12,
                    ReportPage.escaped(label.length() > letters ? label.substring(0, letters - 1) + "…" : label)));
        }
        boxes.append("</g>");
        double at = x;
        for (Map.Entry<String, Method> one : method.called.entrySet()) {
            draw(one.getValue(), one.getKey(), at, level + 1, depth, boxes);
            at += width(one.getValue());
        }
    }
}
