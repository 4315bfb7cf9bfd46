package io.arbitration.platform.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arbitration.Await;
import io.arbitration.platform.FreePort;
import io.arbitration.platform.StartFailure;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import java.security.cert.X509Certificate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Members of a cluster, in one process and by sockets of their own, and those who are none. */
class ClusterTest {

    private static final String SECRET = "a secret of thirty-two characters or more";
    private static final List<Integer> PORTS = List.of(port(), port(), port());
    private static final List<Integer> BUS_PORTS = List.of(port(), port(), port());
    private static final List<Cluster> MEMBERS = new CopyOnWriteArrayList<>();

    private static int port() {
        try {
            return FreePort.any();
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static Cluster member(int port, int busPort, String secret) {
        return member(port, busPort, secret, PORTS);
    }

    private static Cluster member(int port, int busPort, String secret, List<Integer> ports) {
        List<String> members = ports.stream().map(other -> "127.0.0.1:" + other).toList();
        return Cluster.join(new ClusterSettings(Optional.of("127.0.0.1"), Optional.empty(), port, busPort, members, Optional.empty(), secret),
                Vertx.builder(), new VertxOptions().setEventLoopPoolSize(1));
    }

    /** All at once: whoever comes first must not stay by itself. */
    @BeforeAll
    static void join() {
        List<CompletableFuture<Cluster>> joining = List.of(0, 1, 2).stream()
                .map(i -> CompletableFuture.supplyAsync(() -> member(PORTS.get(i), BUS_PORTS.get(i), SECRET), Thread::startVirtualThread)).toList();
        joining.forEach(member -> MEMBERS.add(member.orTimeout(60, TimeUnit.SECONDS).join()));
        Await.until(() -> MEMBERS.stream().allMatch(member -> member.members().size() == 3));
    }

    /** Where addresses are translated, others reach it at one that this machine does not have. */
    @Test
    void aMemberWithAPublicAddressListensOnItsOwnAndTellsWhenItsMembershipHasEnded() {
        Cluster translated = Cluster.join(new ClusterSettings(Optional.empty(), Optional.of("192.0.2.7"), port(), port(), List.of(), Optional.empty(), SECRET),
                Vertx.builder(), new VertxOptions().setEventLoopPoolSize(1));
        assertThat(translated.members()).singleElement().asString().startsWith("192.0.2.7:");
        assertThat(translated.state().word()).isEqualTo("UP");
        leave(translated);
        assertThat(translated.state().word()).isEqualTo("DOWN");
    }

    @AfterAll
    static void leave() {
        CompletableFuture.allOf(MEMBERS.stream().map(member -> CompletableFuture.runAsync(() -> leave(member), Thread::startVirtualThread))
                .toArray(CompletableFuture[]::new)).join();
    }

    private static void leave(Cluster member) {
        done(member.vertx().close());
        member.leave();
    }

    private static <T> T done(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }

    @Test
    void whatIsAskedOnOneMemberIsAnsweredOnAnotherHoweverLong() {
        done(MEMBERS.get(0).vertx().eventBus().<JsonObject>consumer("length", message -> message.reply(message.body().getString("text").length())).completion());
        for (int length : List.of(0, 16_384, 3_000_000)) {
            // The bus delivers at most once (Vert.x core manual, "Best-effort delivery"): after a connection between members broke, an asker asks again.
            Await.despiteFailures("an answer about %d characters".formatted(length), Duration.ofSeconds(60), () -> done(MEMBERS.get(1).vertx().eventBus()
                    .<Integer>request("length", new JsonObject().put("text", "x".repeat(length)), new DeliveryOptions().setSendTimeout(15_000))).body() == length);
        }
        assertThat(MEMBERS).allSatisfy(member -> assertThat(member.state().word()).isEqualTo("UP"));
    }

    @Test
    void whoHasAnotherSecretStaysAloneAndNobodyHearsOfIt() {
        Cluster stranger = member(port(), 0, "another secret of thirty-two characters");
        try {
            assertThat(stranger.members()).hasSize(1);
            assertThat(stranger.state().word()).isEqualTo("ALONE");
            assertThat(stranger.state().trouble().orElseThrow()).contains("127.0.0.1:" + PORTS.getFirst());
            assertThat(stranger.secretCheck()).isNotEqualTo(MEMBERS.getFirst().secretCheck());
            assertThatThrownBy(() -> done(stranger.vertx().eventBus().request("length", "x"))).cause()
                    .isInstanceOfSatisfying(ReplyException.class, none -> assertThat(none.failureType()).isEqualTo(ReplyFailure.NO_HANDLERS));
            assertThat(MEMBERS).allSatisfy(member -> assertThat(member.members()).hasSize(3));
        } finally {
            leave(stranger);
        }
    }

    @Test
    void whoIsAloneIsJoinedByWhoStartsLaterAndIsAloneAgainWhenThatOneHasGone() {
        int otherPort = port();
        int firstPort = port();
        List<Integer> both = List.of(firstPort, otherPort);
        Cluster first = member(firstPort, 0, SECRET, both);
        try {
            assertThat(first.state().word()).isEqualTo("ALONE");
            Cluster other = member(otherPort, 0, SECRET, both);
            try {
                Await.until(() -> first.state().word().equals("UP") && other.state().word().equals("UP"));
                assertThat(first.members()).containsExactlyInAnyOrder("127.0.0.1:" + firstPort, "127.0.0.1:" + otherPort);
            } finally {
                leave(other);
            }
            Await.until(() -> first.state().word().equals("ALONE"));
            assertThat(first.state().trouble().orElseThrow()).contains("127.0.0.1:" + otherPort);
        } finally {
            leave(first);
        }
    }

    /** A headless service is a name with the addresses of all members; localhost is one with that of the first. */
    @Test
    void membersAreFoundByTheAddressesOfAName() throws Exception {
        Optional<String> other = NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress()).map(InetAddress::getHostAddress).findFirst();
        assumeTrue(other.isPresent(), "this machine has no address but loopback");
        Cluster found = Cluster.join(new ClusterSettings(other, Optional.empty(), PORTS.getFirst(), 0, List.of(), Optional.of("localhost"), SECRET),
                Vertx.builder(), new VertxOptions().setEventLoopPoolSize(1));
        try {
            Await.until(() -> found.members().size() == 4);
            assertThat(found.members()).contains(other.get() + ":" + PORTS.getFirst(), "127.0.0.1:" + PORTS.getFirst());
        } finally {
            leave(found);
            Await.until(() -> MEMBERS.stream().allMatch(member -> member.members().size() == 3));
        }
    }

    /** Neither kind of port says a word of its protocol to somebody who shows no certificate. */
    @Test
    void aPortTellsNothingToWhoDoesNotShowTheSecret() throws Exception {
        for (int port : List.of(PORTS.getFirst(), BUS_PORTS.getFirst())) {
            for (String opening : List.of("HZC" + "\0".repeat(100), "GET /hazelcast/health HTTP/1.1\r\n\r\n")) {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    socket.setSoTimeout(10_000);
                    assertThat(answer(socket, opening)).as("%d %.3s", port, opening).doesNotContain("HZC", "HTTP");
                }
            }
            try (SSLSocket socket = (SSLSocket) trusting().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
                socket.setSoTimeout(10_000);
                assertThat(answer(socket, "HZC")).as("TLS without a certificate, %d", port).isEmpty();
            }
        }
        assertThat(MEMBERS.getFirst().members()).hasSize(3);
    }

    /** What comes until the other side closes; an alert of TLS may be among it. */
    private static String answer(Socket socket, String opening) {
        try {
            OutputStream out = socket.getOutputStream();
            out.write(opening.getBytes(StandardCharsets.US_ASCII));
            out.flush();
            InputStream in = socket.getInputStream();
            return new String(in.readNBytes(1000), StandardCharsets.ISO_8859_1);
        } catch (java.net.SocketTimeoutException open) {
            throw new AssertionError("the connection stays open", open);
        } catch (IOException refused) {
            return "";
        }
    }

    private static SSLContext trusting() throws Exception {
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(null, new TrustManager[] {new X509TrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type) {}

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type) {}

            @Override
            public X509Certificate[] getAcceptedIssuers() {
                return new X509Certificate[0];
            }
        }}, null);
        return context;
    }

    @Test
    void objectsOfJavaAreNotTakenFromTheBus() {
        assertThatThrownBy(() -> done(MEMBERS.get(1).vertx().eventBus().request("length", BigDecimal.ONE)))
                .isInstanceOf(IllegalArgumentException.class).hasMessageStartingWith("No message codec");
    }

    @Test
    void aPortInUseNamesItsSetting() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            assertThatThrownBy(() -> member(taken.getLocalPort(), 0, SECRET)).isInstanceOf(StartFailure.class)
                    .hasMessageStartingWith("cluster.port: ").hasMessageContaining(String.valueOf(taken.getLocalPort()));
            assertThatThrownBy(() -> member(port(), taken.getLocalPort(), SECRET)).isInstanceOf(StartFailure.class)
                    .hasMessageStartingWith("cluster.busPort: ").hasMessageContaining(String.valueOf(taken.getLocalPort()));
        }
    }

    @Test
    void whatFollowsFromASecretIsTheSameEachTimeAndKnowsTheSecretNoMore() {
        ClusterIdentity one = ClusterIdentity.of(SECRET);
        ClusterIdentity again = ClusterIdentity.of(SECRET);
        assertThat(again.check()).isEqualTo(one.check());
        assertThat(again.clusterName()).isEqualTo(one.clusterName()).doesNotContain(one.check());
    }
}
