package io.arbitration.mainapi.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.PlatformProcess;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.platform.FreePort;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that is killed while it indexes. */
class SearchCrashIT {

    private static final int EXHIBITS = 12;
    private static final int LETTERS = 4;

    @TempDir
    Path folder;

    private final String word = "w" + UUID.randomUUID().toString().replace("-", "");

    private static long number(Connection sql, String query) throws SQLException {
        try (var statement = sql.createStatement(); var rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static long waiting(Connection sql) throws SQLException {
        return number(sql, "select count(*) from search.sources where indexed < wanted");
    }

    /** A gauge of the node, as whoever watches it reads it. */
    private static double gauge(int port, String series) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/metrics".formatted(port))).build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            String metrics = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
            Matcher line = Pattern.compile("(?m)^" + Pattern.quote(series) + " (\\S+)$").matcher(metrics);
            assertThat(line.find()).as(series).isTrue();
            return Double.parseDouble(line.group(1));
        } catch (IOException failed) {
            throw new AssertionError(failed);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new AssertionError(stopping);
        }
    }

    /** Whoever indexes stands still between the two tables, in the transaction that writes both, until this one ends. */
    private static void standStill(Connection holding) throws SQLException {
        holding.setAutoCommit(false);
        holding.createStatement().execute("lock table search.pieces in share mode");
    }

    private List<String> found(RunningPlatform platform, String token) {
        Answer answer = platform.post("/api/search", new JsonObject().put("query", word), token);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.object().getJsonArray("results").stream().map(one -> (JsonObject) one)
                .map(result -> result.getString("kind") + " " + result.getString("uploadID", result.getString("filingID"))).toList();
    }

    @Test
    void whatWasBeingIndexedWhenTheNodeWasKilledIsIndexedByTheNextOneAndTheLagGoesToZero() throws Exception {
        int management = FreePort.any();
        Map<String, String> settings = Map.of("ACP_MANAGEMENT_PORT", String.valueOf(management));
        PlatformProcess process = PlatformProcess.start(folder, settings);
        try {
            RunningPlatform platform = process.platform();
            OpenCase open = OpenCase.on(platform);
            try (Connection sql = process.sql(); Connection holding = process.sql()) {
                Await.until("the index is up to date", () -> waiting(sql) == 0);
                standStill(holding);
                for (int i = 0; i < EXHIBITS; i++) {
                    assertThat(Form.of(open.caseId(), "other", "A diary.").file("diary.txt", "text/plain", "On day %d the %s came.".formatted(i, word))
                            .post(platform, open.claimant().token()).status()).isEqualTo(200);
                }
                for (int i = 0; i < LETTERS; i++) {
                    open.docketed(new JsonObject().put("title", "On " + word));
                }
                Await.until("an indexing transaction waits", () -> number(sql, "select count(*) from pg_locks where relation = 'search.pieces'::regclass and not granted") > 0);
                process.kill();
                process.awaitEnd();
            }
            process = PlatformProcess.start(folder, settings);
            try (Connection sql = process.sql(); Connection holding = process.sql()) {
                assertThat(number(sql, "select count(*) from platform.queue_items where queue = 'search' and claim is not null")).as("under the lease of the dead node").isPositive();
                assertThat(number(sql, "select count(*) from search.documents d where not exists (select from search.pieces p where p.document_id = d.document_id)"))
                        .as("what is half in the index").isZero();
                standStill(holding);
                // A lease is a minute, which this does not wait for.
                sql.createStatement().execute("update platform.queue_items set due = now() - interval '1 second' where queue = 'search'");
                Await.until("the metric says how late it is", () -> gauge(management, "queue_late_seconds{queue=\"search\"}") > 0);
                holding.rollback();
                Await.until("all is indexed", () -> waiting(sql) == 0);
                Await.until("nothing waits", () -> number(sql, "select count(*) from platform.queue_items where queue = 'search'") == 0);
            }
            List<String> results = found(process.platform(), open.manager().token());
            assertThat(results).as("nothing lost, nothing twice").hasSize(EXHIBITS + LETTERS).doesNotHaveDuplicates();
            for (String lag : List.of("queue_late_seconds{queue=\"search\"}", "events_lag{consumer=\"search\"}", "events_lag_age_seconds{consumer=\"search\"}")) {
                Await.until(lag + " is zero", () -> gauge(management, lag) == 0);
            }
        } finally {
            process.close();
        }
    }
}
