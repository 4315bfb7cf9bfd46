package io.arbitration.command.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Load by wrk, in a process of its own; {@code bench/load.lua} gives it the requests and prints the figures. */
final class WrkLoad implements LoadGenerator {

    private static final int THREADS = 2;
    private static final Duration GRACE = Duration.ofSeconds(60);
    private static final Pattern FIGURES = Pattern.compile(
            "load answers=(\\d+) failures=(\\d+) bytes=(\\d+) micros=(\\d+) p50=(\\d+) p99=(\\d+) exhausted=(\\d+)");

    private final Path wrk;

    WrkLoad(Path wrk) {
        this.wrk = wrk;
    }

    @Override
    public String name() {
        return "wrk";
    }

    @Override
    public Load repeat(URI server, List<Request> requests, int connections, Duration duration) {
        return run(server, requests, connections, duration, "repeat");
    }

    @Override
    public Load once(URI server, List<Request> requests, int connections, Duration duration) {
        return run(server, requests, connections, duration, "once");
    }

    private Load run(URI server, List<Request> requests, int connections, Duration duration, String mode) {
        try {
            Path script = Files.createTempFile("acp-load-", ".lua");
            Path file = Files.createTempFile("acp-load-", ".txt");
            try (InputStream lua = WrkLoad.class.getResourceAsStream("/bench/load.lua")) {
                Files.write(script, lua.readAllBytes());
                Files.write(file, lines(requests));
                return read(Programs.run(
                        List.of(wrk.toString(), "-t" + THREADS, "-c" + connections, "-d" + BenchOptions.wholeSeconds(duration) + "s",
                                "--timeout", "10s", "-s", script.toString(), server.toString(), "--",
                                file.toString(), String.valueOf(THREADS), server.getAuthority(), mode),
                        Map.of(), duration.plus(GRACE)));
            } finally {
                Files.delete(script);
                Files.delete(file);
            }
        } catch (IOException failed) {
            throw new BenchFailed("cannot write the requests for wrk", failed);
        }
    }

    private static List<String> lines(List<Request> requests) {
        Map<String, Integer> tokens = new LinkedHashMap<>();
        requests.forEach(request -> tokens.putIfAbsent(request.token(), tokens.size() + 1));
        List<String> lines = new java.util.ArrayList<>(tokens.keySet().stream().map(token -> "T\t" + token).toList());
        requests.forEach(request -> lines.add("R\t%d\t%s\t%s".formatted(tokens.get(request.token()), request.path(), request.body())));
        return lines;
    }

    private static Load read(String printed) {
        Matcher figures = FIGURES.matcher(printed);
        if (!figures.find()) {
            throw new BenchFailed("wrk printed no figures:%n%s".formatted(printed));
        }
        if (!figures.group(7).equals("0")) {
            throw new BenchFailed("the requests ran out before the time did");
        }
        return new Load(Long.parseLong(figures.group(1)), Long.parseLong(figures.group(2)), Long.parseLong(figures.group(3)),
                Long.parseLong(figures.group(4)) / 1e6, Long.parseLong(figures.group(5)) / 1e3, Long.parseLong(figures.group(6)) / 1e3);
    }
}
