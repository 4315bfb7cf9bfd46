package io.arbitration.command.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/** What a platform has counted and timed since its start, as its management port tells it. */
final class ServerMetrics {

    /** By series: the name of the metric and its labels in braces. */
    private final Map<String, Double> values = new HashMap<>();

    private ServerMetrics() {}

    static ServerMetrics of(int managementPort) {
        ServerMetrics metrics = new ServerMetrics();
        try (HttpClient client = HttpClient.newHttpClient()) {
            String text = client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/metrics".formatted(managementPort))).build(),
                    HttpResponse.BodyHandlers.ofString()).body();
            text.lines().filter(line -> !line.startsWith("#") && !line.isBlank()).forEach(line -> {
                int end = line.lastIndexOf(' ');
                metrics.values.put(line.substring(0, end), Double.parseDouble(line.substring(end + 1)));
            });
            return metrics;
        } catch (IOException failed) {
            throw new BenchFailed("the metrics of the platform cannot be read", failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("interrupted");
        }
    }

    /** The sum of a metric over all its series that have these labels, since an earlier moment. */
    double since(ServerMetrics before, String name, String... labels) {
        return sum(name, labels) - before.sum(name, labels);
    }

    private double sum(String name, String... labels) {
        return values.entrySet().stream()
                .filter(one -> one.getKey().equals(name) || one.getKey().startsWith(name + "{"))
                .filter(one -> Stream.of(labels).allMatch(one.getKey()::contains))
                .mapToDouble(Map.Entry::getValue).sum();
    }

    /** How long something took on average since an earlier moment, in milliseconds; zero when it did not happen. */
    double meanMillis(ServerMetrics before, String timer, String... labels) {
        double count = since(before, timer + "_seconds_count", labels);
        return count == 0 ? 0 : 1000 * since(before, timer + "_seconds_sum", labels) / count;
    }
}
