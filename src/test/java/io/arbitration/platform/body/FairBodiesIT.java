package io.arbitration.platform.body;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.platform.server.RawConnection;
import io.micrometer.core.instrument.search.Search;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one caller or address may make the node hold is that one's problem alone. */
class FairBodiesIT {

    private static final int BODY_BYTES = 30_000;
    private static final int STRANGERS = 72;

    @TempDir
    private static Path folder;

    private static RunningPlatform platform;
    private final List<RawConnection> connections = new ArrayList<>();

    @BeforeAll
    static void start() {
        platform = RunningPlatform.start(folder, Map.of("ACP_HTTP_BODIES_BYTES_MAX", "400000", "ACP_HTTP_BODIES_BYTES_PER_ADDRESS", "100000",
                "ACP_HTTP_BODIES_BYTES_PER_CALLER", "200000", "ACP_HTTP_TRUSTED_PROXIES", "127.0.0.0/8,::1/128"));
    }

    @AfterAll
    static void stop() {
        platform.close();
    }

    @AfterEach
    void close() throws IOException {
        for (RawConnection connection : connections) {
            connection.close();
        }
        Await.until("what broken connections held is given back", () -> held() == 0);
    }

    private static long held() {
        return (long) Search.in(platform.services().meters()).name("acp.http.bodies.bytes").gauge().value();
    }

    private static Person person() {
        return platform.signIn(UUID.randomUUID() + "@example.org", "F", "Air");
    }

    /** A request whose body is all there but for its last byte. */
    private RawConnection unfinished(String path, String header) throws IOException {
        RawConnection connection = new RawConnection(platform.platform().port());
        connections.add(connection);
        connection.send("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%s\r\n\r\n".formatted(path, BODY_BYTES, header));
        return connection.send(new byte[BODY_BYTES - 1]);
    }

    private RawConnection ofAddress(String address) throws IOException {
        return unfinished("/auth/authenticate/demo", "X-Forwarded-For: " + address);
    }

    private RawConnection of(Person caller) throws IOException {
        return unfinished("/api/filings/create", "Authorization: Bearer " + caller.token());
    }

    private static void writes(Person person) {
        RunningPlatform.Answer answer = platform.post("/cases/cases/create", "{\"title\":\"A write\",\"ruleSet\":\"commercial\"}", person.token());
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }

    @Test
    void slowConnectionsOfAStrangerLeaveRoomForTheWritesOfOthers() throws IOException {
        Person honest = person();
        for (int i = 0; i < STRANGERS; i++) {
            ofAddress("192.0.2.1");
            if (i % 8 == 0) {
                writes(honest);
            }
        }
        Await.until("the stranger holds its share", () -> held() > 60_000);
        for (int i = 0; i < 20; i++) {
            writes(honest);
        }
        assertThat(held()).isLessThanOrEqualTo(100_000);
        // The first ones may go on; what went over the share was told so.
        assertThat(refused().read()).satisfies(refused -> {
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.headers().get("error-code")).isEqualTo("bodies.share");
        });
    }

    /** All addresses of an IPv6 network of 64 bits are one customer's. */
    @Test
    void theAddressesOfOneNetworkShare() throws IOException {
        for (int i = 0; i < 6; i++) {
            ofAddress("2001:db8:0:1::" + Integer.toHexString(i + 1));
        }
        assertThat(refused().read().status()).isEqualTo(429);
        Await.until("the network holds its share", () -> held() > 80_000);
        assertThat(held()).isLessThanOrEqualTo(100_000);
    }

    @Test
    void whenAllIsHeldABodyOfWhoHoldsMostIsRefused() throws IOException {
        Person greedy = person();
        Person modest = person();
        for (int i = 0; i < 6; i++) {
            of(greedy);
        }
        Await.until("the greedy caller holds most of its share", () -> held() == 6L * (BODY_BYTES - 1));
        List<RawConnection> others = new ArrayList<>();
        for (int i = 1; i <= 7; i++) {
            others.add(ofAddress("198.51.100." + i));
        }
        Await.until("all is held", () -> held() == 13L * (BODY_BYTES - 1));
        RawConnection late = of(modest);
        Await.until("one of the greedy caller's was refused", () -> connections.subList(0, 6).stream().anyMatch(FairBodiesIT::isAnswered));
        RunningPlatform.Answer unused = platform.get("/openapi/cases.yaml");
        assertThat(unused.status()).isEqualTo(200);
        assertThat(isAnswered(late)).isFalse();
        assertThat(others).noneMatch(FairBodiesIT::isAnswered);
        for (RawConnection one : connections.subList(0, 6)) {
            if (isAnswered(one)) {
                RawConnection.Answer refused = one.read();
                assertThat(refused.status()).isEqualTo(503);
                assertThat(refused.headers().get("error-code")).isEqualTo("overloaded");
            }
        }
    }

    /** Whole bodies that are worked on cannot be given up, so whoever has most of them is refused the next one. */
    @Test
    void whileWholeBodiesWaitWhoeverHasManyIsRefusedAndNotTheNext() throws Exception {
        Person first = person();
        Person second = person();
        Person modest = person();
        try (Connection held = platform.sql(); Statement sql = held.createStatement()) {
            held.setAutoCommit(false);
            sql.execute("lock table cases.cases in access exclusive mode");
            for (int i = 1; i <= 6; i++) {
                whole(first);
                holds(i);
            }
            for (int i = 7; i <= 9; i++) {
                whole(second);
                holds(i);
            }
            RawConnection.Answer refused = whole(second).read();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.headers().get("error-code")).isEqualTo("overloaded");
            whole(modest);
            holds(10);
            held.rollback();
        }
        for (int i : List.of(0, 5, 6, 8, 10)) {
            assertThat(connections.get(i).read().status()).isEqualTo(200);
        }
    }

    private static void holds(int bodies) {
        Await.until(bodies + " bodies are held", () -> held() == (long) bodies * BODY_BYTES);
    }

    private RawConnection whole(Person caller) throws IOException {
        RawConnection connection = new RawConnection(platform.platform().port());
        connections.add(connection);
        String body = "{\"title\":\"A write\",\"ruleSet\":\"commercial\"}";
        return connection.send("POST /cases/cases/create HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\nAuthorization: Bearer %s\r\n\r\n%s"
                .formatted(BODY_BYTES, caller.token(), body + " ".repeat(BODY_BYTES - body.length())));
    }

    /** One that was answered: connections are read by several loops, so which of them came last is not known. */
    private RawConnection refused() {
        Await.until("one went over the share", () -> connections.stream().anyMatch(FairBodiesIT::isAnswered));
        return connections.stream().filter(FairBodiesIT::isAnswered).findFirst().orElseThrow();
    }

    private static boolean isAnswered(RawConnection connection) {
        return connection.hasAnswer();
    }

    @Test
    void aBodyThatIsLargerThanAnyTheContractAllowsIsRefusedByItsHead() throws IOException {
        RawConnection connection = new RawConnection(platform.platform().port());
        connections.add(connection);
        connection.send("POST /auth/sessions/refresh HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 20000\r\n\r\n");
        RawConnection.Answer answer = connection.read();
        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.body()).isEqualTo("\"The body is larger than 16214 bytes.\"");
    }
}
