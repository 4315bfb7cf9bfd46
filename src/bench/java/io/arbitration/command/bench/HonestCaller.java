package io.arbitration.command.bench;

import com.sun.net.httpserver.HttpServer;
import io.arbitration.command.bench.BenchPeople.OpenCase;
import io.arbitration.command.bench.LoadGenerator.Request;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Somebody who works on a case, reading and writing at an even pace; what each call took, and which failed. */
final class HonestCaller implements AutoCloseable {

    private static final Duration ANSWER_WAIT = Duration.ofSeconds(20);
    /** Less than a page of which a capture waits: a proof that waited behind captures would fail. */
    private static final Duration PROOF_WAIT = Duration.ofSeconds(10);
    private static final int CALLS_PER_SECOND = 40;
    private static final int ALIKE_PAUSE_MILLIS = 2500;

    private static final String LOOPBACK = "127.0.0.1";
    /** A proxy that the nodes trust. */
    static final String PROXY = "127.0.0.200";
    /** What the proxy says of where the caller comes from. */
    private static final String OWN_ADDRESS = "203.0.113.7";
    private static final int NEIGHBOUR_CALLS = 2;

    private final HttpClient client = from(null);
    private final URI server;
    private final OpenCase open;
    private final List<Request> work;
    private final String entryId;
    private final String noticeId;
    private final HttpServer site;
    private String uploadId;
    private String opposed;
    private HttpClient neighbour;

    HonestCaller(URI server, BenchPeople people, OpenCase open) throws IOException {
        this.server = server;
        this.open = open;
        String filingId = people.draft(open, "letterToTribunal", "A letter", new JsonObject().put("subject", "Availability").put("body", "We can in May."));
        JsonObject filing = new JsonObject().put("caseID", open.id()).put("filingID", filingId);
        // Until there is an attacker.
        this.opposed = open.id();
        this.work = List.of(
                BenchPeople.list(open),
                new Request("/api/filings/update", open.claimant().token(), filing.copy().put("title", "A better letter").encode()),
                new Request("/cases/cases/actions", open.claimant().token(), new JsonObject().put("caseID", open.id()).encode()),
                new Request("/api/filings/view", open.claimant().token(), filing.encode()));
        this.entryId = RequestAttacks.docket(people, open, "We can in June as well.");
        this.noticeId = ((JsonObject) people.post(new Request("/api/service-of-notice/send", open.claimant().token(), Attacks.notice(open.id(), entryId).encode())))
                .getString("noticeID");
        this.site = HttpServer.create(new InetSocketAddress(LOOPBACK, 0), 0);
        byte[] page = "<h1>Cranes for sale</h1>".getBytes(StandardCharsets.US_ASCII);
        site.createContext("/", exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        site.start();
    }

    /** @param address of this machine; null: any */
    private static HttpClient from(String address) {
        HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(ANSWER_WAIT).sslContext(AnyCertificate.context());
        try {
            return (address == null ? builder : builder.localAddress(InetAddress.getByName(address))).build();
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Opens a connection from the address of an attacker before the attack begins, as somebody who works behind the same address translation. */
    void settleAt(String address) {
        if (neighbour != null) {
            neighbour.shutdownNow();
        }
        neighbour = from(address);
        List<String> failures = new ArrayList<>();
        send(neighbour, asked(work.getFirst().path(), "application/json", work.getFirst().body(), ANSWER_WAIT), 200, failures);
        if (!failures.isEmpty()) {
            throw new BenchFailed("a neighbour could not begin: " + failures);
        }
    }

    /** Becomes the respondent in a case of somebody else. */
    void respondIn(OpenCase other, BenchPeople people) {
        people.post(new Request("/cases/cases/participants/add", people.administrator().token(), new JsonObject().put("caseID", other.id())
                .put("userID", open.claimant().id()).put("partyID", "respondent").put("isPrimary", true).encode()));
        opposed = other.id();
    }

    /** On the connection that is open; what it asks for in vain is refused as ever, and ends nothing. */
    private void workAsNeighbour(List<String> failures) {
        if (neighbour == null) {
            settleAt(LOOPBACK);
        }
        for (int i = 0; i < NEIGHBOUR_CALLS; i++) {
            Request request = work.get(i % work.size());
            send(neighbour, asked(request.path(), "application/json", request.body(), ANSWER_WAIT), 200, failures);
            send(neighbour, asked("/cases/cases/view", "application/json", "{\"caseID\":\"none\"}", ANSWER_WAIT), 404, failures);
        }
    }

    /** Over a new connection of the proxy: what somebody asks who is signed in, and who is not. */
    private void workBehindProxy(List<String> failures) {
        try (HttpClient proxied = from(PROXY)) {
            send(proxied, asked(work.getFirst().path(), "application/json", work.getFirst().body(), ANSWER_WAIT).header("X-Forwarded-For", OWN_ADDRESS), 200, failures);
            send(proxied, HttpRequest.newBuilder(server.resolve("/auth/.well-known/jwks.json")).timeout(ANSWER_WAIT).header("X-Forwarded-For", OWN_ADDRESS), 200, failures);
        }
    }

    /** @param failures what did not answer 200, and how */
    record Worked(Load load, List<String> failures) {}

    /**
     * Works for so long; a call is sent when it is due, whether or not the last one is answered.
     *
     * @param alike what is done beside, one after the other, each at least once; it may not fail, and its time does not count
     */
    Worked work(Duration time, Collection<Alike> alike) {
        int count = (int) (CALLS_PER_SECOND * time.toMillis() / 1000);
        List<Long> nanos = Collections.synchronizedList(new ArrayList<>());
        List<String> failures = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch ended = new CountDownLatch(count + alike.size());
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
                    ended.countDown();
                }
            });
        }
        for (Alike one : alike) {
            Thread.startVirtualThread(() -> {
                try {
                    do {
                        call(one, failures);
                        TimeUnit.MILLISECONDS.sleep(ALIKE_PAUSE_MILLIS);
                    } while (System.nanoTime() - start < time.toNanos() && failures.isEmpty());
                } catch (InterruptedException interrupted) {
                    failures.add("interrupted");
                } finally {
                    ended.countDown();
                }
            });
        }
        try {
            if (!ended.await(time.plus(ANSWER_WAIT).plusSeconds(5).toMillis(), TimeUnit.MILLISECONDS)) {
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

    private void call(Request request, List<Long> nanos, List<String> failures) {
        long sent = System.nanoTime();
        if (send(request.path(), "application/json", request.body(), failures) != null) {
            nanos.add(System.nanoTime() - sent);
        }
    }

    private void call(Alike alike, List<String> failures) {
        JsonObject ofCase = new JsonObject().put("caseID", open.id());
        switch (alike) {
            case NOTHING -> { }
            case UPLOAD -> upload(open.id(), failures);
            case OTHER_SIDE -> upload(opposed, failures);
            case DOWNLOAD -> {
                if (uploadId == null) {
                    uploadId = new JsonObject(upload(open.id(), failures)).getString("uploadID");
                }
                json("/api/evidence/uploads/download", ofCase.put("uploadID", uploadId), failures);
            }
            case FILL -> json("/pdfs/templates/fill", new JsonObject().put("documentID", "award").put("placeholders", new JsonObject().put("claimantName", "Cranes Ltd")), failures);
            case CAPTURE -> json("/api/service-of-notice/attachments/create", new JsonObject().put("mailType", "claimNotice")
                    .put("url", "http://127.0.0.1:%d/".formatted(site.getAddress().getPort())), failures);
            case EXPORT -> json("/cases/cases/export", ofCase, failures);
            case PROOF -> json("/api/service-of-notice/proof", ofCase.put("noticeID", noticeId), PROOF_WAIT, failures);
            case RENDER -> json("/api/docket/entries/render", ofCase.put("entryID", entryId), failures);
            case NEIGHBOUR -> workAsNeighbour(failures);
            case PROXIED -> workBehindProxy(failures);
            case ORGANIZE -> json("/auth/organizations/list", new JsonObject(), failures);
        }
    }

    private String upload(String caseId, List<String> failures) {
        String part = "--b\r\nContent-Disposition: form-data; name=\"";
        return send("/api/evidence/uploads/create", "multipart/form-data; boundary=b", part + "caseID\"\r\n\r\n" + caseId + "\r\n" + part
                + "categoryID\"\r\n\r\nother\r\n" + part + "description\"\r\n\r\nA letter\r\n" + part + "file\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\n"
                + "Dear Sirs\r\n--b--\r\n", failures);
    }

    private void json(String path, JsonObject body, List<String> failures) {
        json(path, body, ANSWER_WAIT, failures);
    }

    private void json(String path, JsonObject body, Duration wait, List<String> failures) {
        send(path, "application/json", body.encode(), wait, failures);
    }

    /** The answer of status 200; null when there was another, or none. */
    private String send(String path, String type, String body, List<String> failures) {
        return send(path, type, body, ANSWER_WAIT, failures);
    }

    private String send(String path, String type, String body, Duration wait, List<String> failures) {
        return send(client, asked(path, type, body, wait), 200, failures);
    }

    private HttpRequest.Builder asked(String path, String type, String body, Duration wait) {
        return HttpRequest.newBuilder(server.resolve(path)).timeout(wait).header("Content-Type", type)
                .header("Authorization", "Bearer " + open.claimant().token()).POST(HttpRequest.BodyPublishers.ofString(body));
    }

    /** The answer of that status; null when there was another, or none. */
    private static String send(HttpClient by, HttpRequest.Builder asked, int status, List<String> failures) {
        HttpRequest request = asked.build();
        try {
            HttpResponse<String> answer = by.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() == status) {
                return answer.body();
            }
            failures.add("%s answered %d %s".formatted(request.uri().getPath(), answer.statusCode(), answer.body()));
        } catch (IOException broken) {
            failures.add("%s: %s".formatted(request.uri().getPath(), broken));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            failures.add("interrupted");
        }
        return null;
    }

    @Override
    public void close() {
        site.stop(0);
        client.shutdownNow();
        if (neighbour != null) {
            neighbour.shutdownNow();
        }
    }
}
