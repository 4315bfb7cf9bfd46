package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.OpenCase;
import io.arbitration.command.bench.LoadGenerator.Request;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Somebody who works on a case, reading and writing at an even pace; what each call took, and which failed. */
final class HonestCaller implements AutoCloseable {

    private static final Duration ANSWER_WAIT = Duration.ofSeconds(20);
    private static final int CALLS_PER_SECOND = 40;

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(ANSWER_WAIT).build();
    private final URI server;
    private final List<Request> work;

    HonestCaller(URI server, BenchPeople people, OpenCase open) {
        this.server = server;
        String filingId = people.draft(open, "letterToTribunal", "A letter", new JsonObject().put("subject", "Availability").put("body", "We can in May."));
        JsonObject filing = new JsonObject().put("caseID", open.id()).put("filingID", filingId);
        this.work = List.of(
                BenchPeople.list(open),
                new Request("/api/filings/update", open.claimant().token(), filing.copy().put("title", "A better letter").encode()),
                new Request("/cases/cases/actions", open.claimant().token(), new JsonObject().put("caseID", open.id()).encode()),
                new Request("/api/filings/view", open.claimant().token(), filing.encode()));
    }

    /** @param failures what did not answer 200, and how */
    record Worked(Load load, List<String> failures) {}

    /** Works for so long; a call is sent when it is due, whether or not the last one is answered. */
    Worked work(Duration time) {
        int count = (int) (CALLS_PER_SECOND * time.toMillis() / 1000);
        List<Long> nanos = Collections.synchronizedList(new ArrayList<>());
        List<String> failures = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch answered = new CountDownLatch(count);
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            Request request = work.get(i % work.size());
            long due = start + i * 1_000_000_000L / CALLS_PER_SECOND;
            Thread.startVirtualThread(() -> {
                try {
                    TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
                    call(request, nanos, failures);
                } catch (InterruptedException interrupted) {
                    failures.add("interrupted");
                } finally {
                    answered.countDown();
                }
            });
        }
        try {
            if (!answered.await(time.plus(ANSWER_WAIT).plusSeconds(5).toMillis(), TimeUnit.MILLISECONDS)) {
                failures.add("calls without any end");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("interrupted");
        }
        synchronized (nanos) {
            return new Worked(Load.of(nanos.stream().mapToLong(Long::longValue).toArray(), failures.size(), 0, time.toMillis() / 1e3), List.copyOf(failures));
        }
    }

    private void call(Request request, List<Long> nanos, List<String> failures) throws InterruptedException {
        long sent = System.nanoTime();
        try {
            HttpResponse<String> answer = client.send(HttpRequest.newBuilder(server.resolve(request.path())).timeout(ANSWER_WAIT)
                    .header("Content-Type", "application/json").header("Authorization", "Bearer " + request.token())
                    .POST(HttpRequest.BodyPublishers.ofString(request.body())).build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() == 200) {
                nanos.add(System.nanoTime() - sent);
            } else {
                failures.add("%s answered %d %s".formatted(request.path(), answer.statusCode(), answer.body()));
            }
        } catch (IOException broken) {
            failures.add("%s: %s".formatted(request.path(), broken));
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
