package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.OpenCase;
import io.arbitration.command.bench.LoadGenerator.Request;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Reads that cost a client little: of lists, of what is searched for, of event streams and of calendars. */
final class ReadingAttacks {

    private static final int AT_ONCE = 16;

    private ReadingAttacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack("lists never read", "one user asks for lists of long drafts on many connections and reads nothing",
                        stage -> WorkAttacks.ask(stage, stage.many() * 3, "/api/filings/list", longList(stage))).prepared(RequestAttacks::draft),
                new Attack("HTTP/2 lists unread", "one user asks for lists of long drafts on a hundred HTTP/2 streams of each connection, and nothing may be sent on them",
                        stage -> FrameAttacks.askUnread(stage, "/api/filings/list", longList(stage))).prepared(RequestAttacks::draft),
                new Attack("errors unread", "one user asks for what is not there on a hundred HTTP/2 streams of each connection, and nothing may be sent on them",
                        stage -> FrameAttacks.askUnread(stage, "/api/filings/view", Attacks.inOwnCase(stage).put("filingID", "1"))),
                new Attack("lists", "one user reads its cases, dockets, deadlines and what is new over and over", stage -> stage.together(AT_ONCE, () -> readLists(stage))),
                new Attack("searches", "one user searches for what is everywhere over and over",
                        stage -> stage.together(AT_ONCE, () -> stage.post("/api/search", new JsonObject().put("query", "position follows -nothing").put("limit", 100))))
                        .given(RequestAttacks::docketLong),
                new Attack("dear reads", "one user asks for all that costs the database most, on many connections at once",
                        stage -> stage.together(4 * AT_ONCE, () -> readDearly(stage))).given(RequestAttacks::docketLong),
                new Attack("machine clients", "one organization asks by many machine clients at once", ReadingAttacks::askByClients),
                new Attack("event streams", "one user opens event streams and closes them at once, over and over", stage -> stage.together(AT_ONCE, () -> openStream(stage))),
                new Attack("calendar feeds", "one address reads a calendar over and over", stage -> stage.together(AT_ONCE, () -> stage.get(stage.given(), "Accept-Encoding", "gzip")))
                        .given(ReadingAttacks::makeFeed));
    }

    private static JsonObject longList(AttackStage stage) {
        return Attacks.inOwnCase(stage).put("limit", 200);
    }

    private static void readLists(AttackStage stage) throws IOException, InterruptedException {
        stage.post("/cases/cases/list", new JsonObject().put("limit", 200));
        stage.post("/api/docket/entries/list", Attacks.inOwnCase(stage));
        stage.post("/cases/deadlines/list", new JsonObject());
        stage.post("/api/docket/entries/recent", new JsonObject().put("since", "2020-01-01T00:00:00.000Z").put("limit", 200));
        stage.post("/cases/cases/participants/list", Attacks.inOwnCase(stage));
    }

    private static void readDearly(AttackStage stage) throws IOException, InterruptedException {
        stage.post("/api/search", new JsonObject().put("query", "position follows").put("limit", 200));
        stage.post("/api/docket/verify", Attacks.inOwnCase(stage));
        stage.post("/api/docket/entries/recent", new JsonObject().put("since", "2020-01-01T00:00:00.000Z").put("limit", 200));
        stage.post("/api/filings/list", longList(stage));
        stage.post("/cases/deadlines/list", new JsonObject().put("limit", 200));
    }

    private static void askByClients(AttackStage stage) throws Exception {
        String organization = stage.asked("/auth/organizations/create", new JsonObject().put("name", "Machines")).getString("organizationID");
        JsonObject machine = new JsonObject().put("name", "Machine").put("permissions", new JsonArray()).put("organizationID", organization);
        List<String> tokens = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            JsonObject client = stage.asked("/auth/clients/create", machine);
            tokens.add(stage.asked("/auth/clients/token", client).getString("accessToken"));
        }
        AtomicInteger next = new AtomicInteger();
        stage.together(4 * AT_ONCE, () -> {
            String token = tokens.get(Math.floorMod(next.getAndIncrement(), tokens.size()));
            stage.post("/webhooks/deliveries/list", token, "{\"limit\": 200}");
            stage.post("/webhooks/events/list", token, "{\"limit\": 1000}");
            stage.post("/cases/cases/list", token, "{}");
        });
    }

    private static void openStream(AttackStage stage) throws IOException {
        try (Socket socket = stage.connect()) {
            AttackStage.send(socket, "GET /api/events/stream?caseID=%s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n".formatted(stage.caseId(), stage.attacker().token()));
            if (socket.getInputStream().read() < 0) {
                throw new IOException("closed by the server");
            }
        }
    }

    private static String makeFeed(BenchPeople people, OpenCase own) {
        return URI.create(((JsonObject) people.post(new Request("/cases/calendar/feeds/create", own.claimant().token(), "{}"))).getString("url")).getPath();
    }
}
