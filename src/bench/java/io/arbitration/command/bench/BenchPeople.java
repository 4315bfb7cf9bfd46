package io.arbitration.command.bench;

import io.arbitration.command.bench.LoadGenerator.Request;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** The people of a benchmark: they sign in, open cases and file, over HTTP as anyone would. */
final class BenchPeople implements AutoCloseable {

    private static final Duration ANSWER_WAIT = Duration.ofSeconds(30);
    private static final int AT_ONCE = 16;

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ExecutorService workers = Executors.newFixedThreadPool(AT_ONCE);
    private final URI server;
    private final BenchSite site;
    private final Person administrator;

    /** Someone who signed in. */
    record Person(String id, String token) {}

    /** An open case: its claimant, who is in an organization, and its case manager. */
    record OpenCase(String id, Person claimant, Person manager) {}

    BenchPeople(URI server, BenchSite site) {
        this.server = server;
        this.site = site;
        this.administrator = signIn(BenchSite.ADMINISTRATOR, "Ada", "Administrator");
    }

    Person signIn(String email, String firstName, String lastName) {
        JsonObject answer = (JsonObject) post(new Request(site.exchangePath(), null,
                new JsonObject().put("idToken", site.idToken(email, firstName, lastName)).encode()));
        String token = answer.getString("accessToken");
        return new Person(((JsonObject) post(new Request("/auth/users/me", token, "{}"))).getString("id"), token);
    }

    /** An ID token with which somebody signs in at {@link #exchangePath}. */
    String idToken(String email) {
        return site.idToken(email, "Clara", "Filled");
    }

    String exchangePath() {
        return site.exchangePath();
    }

    /** The super administrator. */
    Person administrator() {
        return administrator;
    }

    /** Puts a file into the bucket that is nobody's evidence; its address. */
    String store(String name, String content) {
        try {
            Files.writeString(Files.createDirectories(site.evidence()).resolve(name), content);
            return "file://evidence/" + name;
        } catch (IOException failed) {
            throw new BenchFailed("a file could not be put into the bucket", failed);
        }
    }

    /** Puts into the database what takes months to come together. */
    void sql(String statements) {
        try (BenchDatabase database = BenchDatabase.open(site.database())) {
            database.run(statements);
        }
    }

    /** The Maildir to which reports of failed mail are delivered. */
    Path bounces() {
        return site.bounces();
    }

    /** A claimant, in an organization of its own. */
    Person claimant(int number) {
        String email = "claimant-%d@bench.example".formatted(number);
        Person joining = signIn(email, "Clara", "Claimant");
        post(new Request("/auth/organizations/create", joining.token(), new JsonObject().put("name", "Shipping " + number).encode()));
        // The token that is used from now on names the organization.
        return signIn(email, "Clara", "Claimant");
    }

    /** Opens cases, dealt out among the claimants and managers. */
    List<OpenCase> openCases(int count, List<Person> claimants, List<Person> managers) {
        return all(count, i -> {
            Person claimant = claimants.get(i % claimants.size());
            Person manager = managers.get(i % managers.size());
            JsonObject opened = (JsonObject) post(new Request("/cases/cases/create", claimant.token(),
                    new JsonObject().put("title", "Harbour %d v. Cranes".formatted(i)).put("ruleSet", "commercial").encode()));
            String caseId = opened.getString("caseID");
            post(new Request("/cases/cases/participants/add", administrator.token(), new JsonObject().put("caseID", caseId)
                    .put("userID", manager.id()).put("partyID", "caseManager").put("isPrimary", true).encode()));
            return new OpenCase(caseId, claimant, manager);
        });
    }

    /** Drafts a document of a case and returns its filingID. */
    String draft(OpenCase open, String documentId, String title, JsonObject fields) {
        return ((JsonObject) post(new Request("/api/filings/create", open.claimant().token(), new JsonObject()
                .put("caseID", open.id()).put("documentID", documentId).put("title", title).put("fields", fields).encode())))
                .getString("filingID");
    }

    static Request submit(OpenCase open, String filingId) {
        return new Request("/api/filings/documents/submit", open.claimant().token(), filing(open, filingId));
    }

    static Request approve(OpenCase open, String filingId) {
        return new Request("/api/filings/documents/approve", open.manager().token(), filing(open, filingId));
    }

    static Request list(OpenCase open) {
        return new Request("/api/docket/entries/list", open.claimant().token(), new JsonObject().put("caseID", open.id()).encode());
    }

    private static String filing(OpenCase open, String filingId) {
        return new JsonObject().put("caseID", open.id()).put("filingID", filingId).encode();
    }

    /** Does something so many times, a few at once. */
    <T> List<T> all(int count, IntFunction<T> each) {
        List<Future<T>> running = IntStream.range(0, count).mapToObj(i -> workers.submit(() -> each.apply(i))).toList();
        return running.stream().map(BenchPeople::result).toList();
    }

    private static <T> T result(Future<T> running) {
        try {
            return running.get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("interrupted");
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof BenchFailed told ? told : new BenchFailed("preparing failed", failed.getCause());
        }
    }

    /** The JSON of the answer, whose status must be 200. */
    Object post(Request request) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(server.resolve(request.path()))
                .timeout(ANSWER_WAIT)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(request.body()));
        if (request.token() != null) {
            builder.header("Authorization", "Bearer " + request.token());
        }
        try {
            HttpResponse<String> answer = client.send(builder.build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new BenchFailed("POST %s answered %d: %s".formatted(request.path(), answer.statusCode(), answer.body()));
            }
            return Json.decodeValue(answer.body());
        } catch (IOException failed) {
            throw new BenchFailed("POST %s failed: %s".formatted(request.path(), failed), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("interrupted");
        }
    }

    @Override
    public void close() {
        workers.shutdownNow();
        client.close();
    }
}
