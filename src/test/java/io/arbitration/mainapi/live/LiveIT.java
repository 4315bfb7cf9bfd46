package io.arbitration.mainapi.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.search.Search;
import io.vertx.core.json.JsonObject;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveIT {

    private final RunningPlatform platform = RunningPlatform.shared();
    private final OpenCase open = OpenCase.on(platform);

    private static String bearer(Person person) {
        return "Bearer " + person.token();
    }

    private String add(Connection sql, String caseId, int number) throws SQLException {
        UUID id = UUID.randomUUID();
        try (PreparedStatement insert = sql.prepareStatement("""
                insert into platform.events (event_id, event, case_id, occurred_at, envelope) values (?, 'phase_changed', ?, now(), ?)""")) {
            insert.setObject(1, id);
            insert.setObject(2, UUID.fromString(caseId));
            insert.setString(3, new JsonObject().put("id", id.toString()).put("event", "phase_changed").put("number", number).put("filler", "x".repeat(500)).encode());
            insert.execute();
        }
        return id.toString();
    }

    /** Many events in the log of a case, as many transactions would write them. */
    private List<String> add(int count) throws SQLException {
        List<String> ids = new ArrayList<>();
        try (Connection sql = platform.sql()) {
            for (int i = 0; i < count; i++) {
                ids.add(add(sql, open.caseId(), i));
            }
            sql.createStatement().execute("select pg_notify('platform_events', '')");
        }
        return ids;
    }

    @Test
    void whatHappensInACaseIsToldToItsParticipantsAsWebhooksHaveItAndToNobodyElse() throws Exception {
        OpenCase other = open.another();
        try (StreamClient claimant = StreamClient.of(platform, open.claimant().token()); StreamClient observer = StreamClient.of(platform, open.observer().token());
                StreamClient outsider = StreamClient.of(platform, open.outsider().token());
                StreamClient ofOther = StreamClient.open(platform, "?caseID=" + other.caseId(), "Authorization", bearer(open.respondent()))) {
            assertThat(claimant.response().headers().firstValue("content-type")).contains("text/event-stream");
            String entry = open.docketed(new JsonObject());
            Await.until(() -> observer.kinds().contains("docket_filing") && claimant.kinds().contains("docket_filing"));
            assertThat(claimant.kinds()).containsSubsequence("filing_submitted", "docket_filing").doesNotContain("filing_drafted");
            JsonObject told = claimant.received().stream().filter(event -> event.kind().equals("docket_filing")).findFirst().orElseThrow().envelope();
            assertThat(platform.rows("select envelope from platform.events where event_id = ?", UUID.fromString(told.getString("id"))))
                    .containsExactly(List.of(told.encode()));
            assertThat(told.getJsonObject("data").getString("entryID")).isEqualTo(entry);
            other.docketed(new JsonObject());
            Await.until(() -> ofOther.kinds().contains("docket_filing"));
            assertThat(ofOther.received()).allSatisfy(event -> assertThat(event.envelope().getJsonObject("data").getString("caseID")).isEqualTo(other.caseId()));
            assertThat(outsider.received()).isEmpty();
            assertThat(claimant.eventIds()).doesNotHaveDuplicates();
        }
    }

    @Test
    void whoComesBackGetsWhatCameMeanwhileOnceAndInOrderAndThenWhatComes() throws Exception {
        String lastId;
        try (StreamClient first = StreamClient.of(platform, open.claimant().token())) {
            open.docketed(new JsonObject());
            Await.until(() -> first.kinds().contains("docket_filing"));
            lastId = first.lastId();
        }
        List<String> meanwhile = add(350);
        try (StreamClient second = StreamClient.after(platform, open.claimant().token(), lastId)) {
            Await.until(() -> second.received().size() >= meanwhile.size());
            List<String> live = add(20);
            Await.until(() -> second.received().size() >= meanwhile.size() + live.size());
            List<String> all = new ArrayList<>(meanwhile);
            all.addAll(live);
            assertThat(second.eventIds()).containsExactlyElementsOf(all);
        }
    }

    @Test
    void anEventThatIsCommittedLateIsToldLateAlsoToWhoComesBack() throws Exception {
        try (Connection slow = platform.sql(); StreamClient staying = StreamClient.of(platform, open.claimant().token())) {
            slow.setAutoCommit(false);
            String late = add(slow, open.caseId(), 0);
            List<String> before = add(3);
            String lastId;
            try (StreamClient leaving = StreamClient.of(platform, open.claimant().token())) {
                List<String> more = add(2);
                Await.until(() -> leaving.eventIds().containsAll(more));
                Await.until(() -> staying.eventIds().containsAll(before) && staying.eventIds().containsAll(more));
                lastId = leaving.lastId();
            }
            slow.commit();
            List<String> after = add(1);
            try (StreamClient back = StreamClient.after(platform, open.claimant().token(), lastId)) {
                Await.until(() -> back.eventIds().containsAll(after));
                assertThat(back.eventIds()).contains(late).doesNotHaveDuplicates();
            }
            Await.until(() -> staying.eventIds().contains(late) && staying.eventIds().containsAll(after));
            assertThat(staying.eventIds()).doesNotHaveDuplicates();
        }
    }

    @Test
    void aClientThatReadsSlowlyLosesNothingAndHoldsNobodyUp() throws Exception {
        URI address = URI.create(platform.url());
        try (Socket slow = new Socket(); StreamClient quick = StreamClient.of(platform, open.respondent().token())) {
            slow.setReceiveBufferSize(4096);
            slow.connect(new InetSocketAddress(address.getHost(), address.getPort()));
            slow.getOutputStream().write("GET /api/events/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: %s\r\n\r\n".formatted(bearer(open.claimant()))
                    .getBytes(StandardCharsets.US_ASCII));
            StringBuilder read = new StringBuilder();
            byte[] bytes = new byte[4096];
            while (read.indexOf("id: ") < 0) {
                read.append(new String(bytes, 0, slow.getInputStream().read(bytes), StandardCharsets.UTF_8));
            }
            List<String> ids = add(1500);
            Await.until(() -> quick.eventIds().containsAll(ids));
            slow.setSoTimeout(60_000);
            while (read.indexOf(ids.getLast()) < 0) {
                read.append(new String(bytes, 0, slow.getInputStream().read(bytes), StandardCharsets.UTF_8));
            }
            int at = 0;
            for (String id : ids) {
                int next = read.indexOf("\"id\":\"" + id, at);
                assertThat(next).as("event after the place of the one before").isGreaterThanOrEqualTo(at);
                assertThat(read.indexOf("\"id\":\"" + id, next + 1)).isNegative();
                at = next;
            }
        }
    }

    /** There is no place for a third stream of this caller until the one that takes nothing is cut off. */
    private void aClientThatTakesNothingIsCutOffAndGoesOnWhereItWas(RunningPlatform node) throws Exception {
        String token = open.respondent().token();
        StringBuilder read = new StringBuilder();
        try (Socket slow = slow(node, token, read); StreamClient beside = StreamClient.of(node, token)) {
            assertThat(node.get("/api/events/stream", "Authorization", "Bearer " + token).status()).isEqualTo(429);
            List<String> ids = add(2000);
            Await.until(() -> beside.eventIds().containsAll(ids));
            // Sooner than any connection whose client takes nothing, which is closed after a minute.
            Await.until("the client that takes nothing is cut off", Duration.ofSeconds(40), () -> {
                try (StreamClient next = StreamClient.open(node, "", "Authorization", "Bearer " + token)) {
                    return next.status() == 200;
                }
            });
            // What was under way when it was cut off is read to the end, which is a reset or an end.
            byte[] bytes = new byte[65_536];
            try {
                for (int count = slow.getInputStream().read(bytes); count > 0; count = slow.getInputStream().read(bytes)) {
                    read.append(new String(bytes, 0, count, StandardCharsets.UTF_8));
                }
            } catch (SocketException reset) {
                assertThat(reset).hasMessageContaining("reset");
            }
            String whole = read.substring(0, read.lastIndexOf("\n\n") + 2);
            Matcher places = Pattern.compile("id: ([^\n]+)\n").matcher(whole);
            String last = "";
            while (places.find()) {
                last = places.group(1);
            }
            List<String> here = ids.stream().filter(id -> whole.contains("\"id\":\"" + id)).toList();
            assertThat(here.size()).isLessThan(ids.size());
            String place = last;
            try (StreamClient again = Await.value("room for the client that comes back", () -> {
                StreamClient next = StreamClient.after(node, token, place);
                if (next.status() != 200) {
                    next.close();
                    return null;
                }
                return next;
            })) {
                Await.until(() -> again.eventIds().contains(ids.getLast()));
                List<String> all = new ArrayList<>(here);
                all.addAll(again.eventIds());
                assertThat(all).containsExactlyElementsOf(ids);
            }
        }
    }

    /** A connection whose stream has told where it is, and of which nothing more is read. */
    private static Socket slow(RunningPlatform node, String token, StringBuilder read) throws IOException {
        URI address = URI.create(node.url());
        Socket slow = new Socket();
        slow.setReceiveBufferSize(4096);
        slow.connect(new InetSocketAddress(address.getHost(), address.getPort()));
        slow.getOutputStream().write("GET /api/events/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n".formatted(token).getBytes(StandardCharsets.US_ASCII));
        DataInputStream in = new DataInputStream(slow.getInputStream());
        while (read.indexOf("id: ") < 0 || read.indexOf("\n\n", read.indexOf("id: ")) < 0) {
            read.append((char) in.readByte());
        }
        return slow;
    }

    /** The node reads the log for its streams while there are any: that of one who has left at once must not be read on. */
    @Test
    void clientsThatLeaveAtOnceLeaveNothingBehind() throws Exception {
        for (int i = 0; i < 10; i++) {
            assertThat(platform.get("/api/events/stream", "Authorization", bearer(open.outsider())).status()).isEqualTo(200);
        }
        try (StreamClient stream = StreamClient.of(platform, open.claimant().token())) {
            List<String> ids = add(5);
            Await.until(() -> stream.eventIds().containsAll(ids));
            List<String> more = add(5);
            Await.until(() -> stream.eventIds().containsAll(more));
            assertThat(stream.eventIds()).doesNotHaveDuplicates();
        }
    }

    @Test
    void whoIsTakenOutOfTheCaseIsToldNothingMore() throws Exception {
        try (StreamClient colleague = StreamClient.of(platform, open.colleague().token()); StreamClient claimant = StreamClient.of(platform, open.claimant().token())) {
            assertThat(platform.post("/cases/cases/participants/remove", new JsonObject().put("caseID", open.caseId()).put("userID", open.colleague().id()),
                    open.manager().token()).status()).isEqualTo(200);
            open.docketed(new JsonObject());
            Await.until(() -> claimant.kinds().contains("docket_filing"));
            // What is told is told to all at once: what the claimant has, the colleague would have soon.
            List<String> last = add(1);
            Await.until(() -> claimant.eventIds().containsAll(last));
            assertThat(colleague.kinds()).doesNotContain("docket_filing", "phase_changed");
        }
    }

    @Test
    void theStreamEndsWithItsSession() throws Exception {
        Person person = platform.signIn("live-" + UUID.randomUUID() + "@example.org", "Lea", "Leaver");
        try (StreamClient stream = StreamClient.of(platform, person.token())) {
            String session = platform.post("/auth/sessions/list", new JsonObject(), person.token()).object().getJsonArray("sessions").getJsonObject(0).getString("sessionID");
            assertThat(platform.post("/auth/sessions/revoke", new JsonObject().put("sessionID", session), person.token()).status()).isEqualTo(200);
            Await.until(stream::hasEnded);
        }
    }

    private double answered() {
        return Search.in(platform.services().meters()).name("acp.operation").tag("operation", "streamEvents").tag("status", "200").timers().stream()
                .mapToDouble(Timer::count).sum();
    }

    private double openStreams() {
        return Search.in(platform.services().meters()).name("acp.events.streams").gauges().stream().mapToDouble(Gauge::value).sum();
    }

    /** By the same end handlers of the router the connection is counted as idle, and the session is watched no more. */
    @Test
    void aStreamThatEndsIsARequestThatHasEndedWhoeverEndsIt() throws Exception {
        Await.until("those of other tests have ended", () -> openStreams() == 0);
        double before = answered();
        StreamClient.of(platform, open.outsider().token()).close();
        Await.until("it is ended by its client", () -> answered() >= before + 1);
        Person person = platform.signIn("live-" + UUID.randomUUID() + "@example.org", "Lea", "Leaver");
        try (StreamClient stream = StreamClient.of(platform, person.token())) {
            assertThat(platform.post("/auth/sessions/revoke", new JsonObject(), person.token()).status()).isEqualTo(200);
            Await.until("it is ended with its session", () -> stream.hasEnded() && answered() >= before + 2);
        }
        Await.until("none is open", () -> openStreams() == 0);
    }

    @Test
    void whoHasGoneBeforeTheStreamOpensIsNotCountedAsOpen() throws Exception {
        Await.until("those of other tests have ended", () -> openStreams() == 0);
        double before = answered();
        URI address = URI.create(platform.url());
        for (int i = 0; i < 20; i++) {
            try (Socket leaving = new Socket(address.getHost(), address.getPort())) {
                leaving.getOutputStream().write("GET /api/events/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: %s\r\n\r\n".formatted(bearer(open.outsider()))
                        .getBytes(StandardCharsets.US_ASCII));
            }
        }
        Await.until("all were asked for", () -> answered() >= before + 20);
        StreamClient.of(platform, open.claimant().token()).close();
        Await.until(() -> "open after all have gone: " + openStreams(), Await.BOUND, () -> openStreams() == 0);
    }

    @Test
    void whatCannotBeFollowedIsRefused() throws Exception {
        String mine = bearer(open.claimant());
        assertRefused(401, "token", "");
        assertRefused(403, "Not a participant in this case.", "?caseID=" + open.caseId(), "Authorization", bearer(open.outsider()));
        assertRefused(404, "case not found", "?caseID=" + UUID.randomUUID(), "Authorization", mine);
        assertRefused(404, "case not found", "?caseID=none", "Authorization", mine);
        for (String broken : List.of("7", "AQ", "%%%", "A".repeat(1024), new StreamCursor(new io.arbitration.platform.events.LogPosition(7,
                io.arbitration.platform.events.SequenceRanges.NONE), Instant.now()).text().substring(4))) {
            assertRefused(400, "Last-Event-ID: must be the id of an event of this stream", "", "Authorization", mine, "Last-Event-ID", broken);
        }
        String old = new StreamCursor(new io.arbitration.platform.events.LogPosition(7, io.arbitration.platform.events.SequenceRanges.NONE),
                Instant.now().minus(StreamCursor.GOOD_FOR)).text();
        assertRefused(410, "Last-Event-ID: is older than 24 hours; connect without it and read what may have changed", "", "Authorization", mine, "Last-Event-ID", old);
    }

    private void assertRefused(int status, String text, String query, String... headers) throws Exception {
        String[] all = headers.length == 0 ? new String[] {"Accept", "*/*"} : headers;
        try (StreamClient client = StreamClient.open(platform, query, all)) {
            assertThat(client.status()).isEqualTo(status);
        }
        Answer answer = platform.get("/api/events/stream" + query, all);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.body()).containsIgnoringCase(text);
    }

    @Test
    void aCallerHasItsShareAndANodeCutsOffWhoTakesNothingAndEndsItsStreamsWhenItStopsEndsItsStreams(@TempDir Path folder) throws Exception {
        RunningPlatform node = platform.sibling(folder, Map.of("ACP_LIVE_STREAMS_PER_CALLER", "2", "ACP_LIVE_STALL_SECONDS", "4"));
        List<StreamClient> streams = new ArrayList<>();
        try {
            streams.add(StreamClient.of(node, open.claimant().token()));
            streams.add(StreamClient.of(node, open.claimant().token()));
            assertThat(node.get("/api/events/stream", "Authorization", bearer(open.claimant())))
                    .satisfies(answer -> assertThat(answer.status()).isEqualTo(429))
                    .satisfies(answer -> assertThat(answer.sentence()).isEqualTo("at most 2 event streams of one caller are open at once"));
            streams.removeFirst().close();
            // What happens at one node is told at the other.
            Await.value("room for another stream", () -> {
                StreamClient next = StreamClient.open(node, "", "Authorization", bearer(open.claimant()));
                if (next.status() != 200) {
                    next.close();
                    return null;
                }
                streams.add(next);
                return next;
            });
            List<String> ids = add(5);
            Await.until(() -> streams.stream().allMatch(stream -> new HashSet<>(stream.eventIds()).containsAll(ids)));
            aClientThatTakesNothingIsCutOffAndGoesOnWhereItWas(node);
        } finally {
            node.close();
        }
        Await.until(() -> streams.stream().allMatch(StreamClient::hasEnded));
        for (StreamClient stream : streams) {
            stream.close();
        }
    }
}
