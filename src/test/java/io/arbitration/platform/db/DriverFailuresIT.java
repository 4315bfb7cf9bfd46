package io.arbitration.platform.db;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxException;
import io.vertx.junit5.VertxExtension;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlConnection;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The driver says by message alone what these failures are: each is provoked, so that another version cannot change its words unnoticed. */
@ExtendWith(VertxExtension.class)
class DriverFailuresIT {

    private final PgConnectOptions options = RunningPlatform.shared().database().connection();
    private Vertx vertx;

    @BeforeEach
    void open(Vertx vertx) {
        this.vertx = vertx;
    }

    private static Throwable failure(Future<?> future) {
        return Await.result(future.transform(done -> Future.succeededFuture(done.cause())));
    }

    @Test
    void aWaitForAConnectionThatWasTooLongIsOverload() {
        Pool pool = PgBuilder.pool().with(new PoolOptions().setMaxSize(1).setConnectionTimeout(20).setConnectionTimeoutUnit(TimeUnit.MILLISECONDS))
                .connectingTo(options).using(vertx).build();
        // Connecting may take longer than the pool lets anybody wait; it connects on, and one of the next tries finds the connection there.
        SqlConnection held = Await.value("the only connection", () -> Await.result(pool.getConnection().otherwiseEmpty()));
        for (Future<?> waiting : new Future<?>[] {pool.getConnection(), pool.preparedQuery("select 1").execute()}) {
            Throwable late = failure(waiting);
            assertThat(DriverFailures.isOverloaded(late)).as(late.toString()).isTrue();
            assertThat(DriverFailures.isUnavailable(late)).isFalse();
        }
        Await.result(held.close());
        Await.result(pool.close());
    }

    @Test
    void aQueueThatIsFullIsOverload() {
        Pool pool = PgBuilder.pool().with(new PoolOptions().setMaxSize(1).setMaxWaitQueueSize(1)).connectingTo(options).using(vertx).build();
        SqlConnection held = Await.result(pool.getConnection());
        Future<SqlConnection> waiting = pool.getConnection();
        assertThat(DriverFailures.isOverloaded(failure(pool.getConnection()))).isTrue();
        Await.result(held.close());
        Await.result(Await.result(waiting).close());
        Await.result(pool.close());
    }

    @Test
    void aConnectionThatIsClosedIsUnavailable() {
        PgConnection connection = Await.result(PgConnection.connect(vertx, options));
        Await.result(connection.close());
        Throwable closed = failure(connection.query("select 1").execute());
        assertThat(DriverFailures.isUnavailable(closed)).as(closed.toString()).isTrue();
    }

    @Test
    void aSessionThatIsEndedByTheServerIsUnavailable() {
        PgConnection connection = Await.result(PgConnection.connect(vertx, options));
        Future<?> asleep = connection.query("select pg_sleep(60)").execute();
        Future<?> behind = connection.query("select 1").execute();
        RunningPlatform.shared().rows("select pg_terminate_backend(?)", connection.processId());
        for (Future<?> one : new Future<?>[] {asleep, behind}) {
            Throwable ended = failure(one);
            assertThat(DriverFailures.isUnavailable(ended)).as(ended.toString()).isTrue();
        }
    }

    /** A server that takes TLS and then speaks something else. */
    @Test
    void aHandshakeThatFailsIsUnavailable() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            Thread.startVirtualThread(() -> {
                try (Socket client = server.accept()) {
                    InputStream in = client.getInputStream();
                    in.readNBytes(8);
                    client.getOutputStream().write('S');
                    in.readNBytes(5);
                    client.getOutputStream().write("this is no TLS at all".getBytes());
                    in.readAllBytes();
                } catch (IOException gone) {
                    // The client has had enough.
                }
            });
            PgConnectOptions tls = new PgConnectOptions(options).setHost("127.0.0.1").setPort(server.getLocalPort())
                    .setSslMode(io.vertx.pgclient.SslMode.REQUIRE)
                    .setSslOptions(new io.vertx.core.net.ClientSSLOptions().setTrustAll(true).setHostnameVerificationAlgorithm(""));
            Throwable broken = failure(PgConnection.connect(vertx, tls));
            assertThat(DriverFailures.isUnavailable(broken)).as(broken.toString()).isTrue();
        }
    }

    /** These come too seldom to be provoked. */
    @Test
    void theWordsThatCannotBeProvokedAreTheDriversStill() throws ReflectiveOperationException {
        Field pending = Class.forName("io.vertx.sqlclient.impl.SocketConnectionBase").getDeclaredField("PENDING_CMD_CONNECTION_CORRUPT_MSG");
        pending.setAccessible(true);
        assertThat(pending.get(null)).isEqualTo(DriverFailures.PENDING_NOT_SENT);
        Field closed = Class.forName("io.vertx.core.internal.net.NetSocketInternal").getDeclaredField("CLOSED_EXCEPTION");
        assertThat(((VertxException) closed.get(null)).getMessage()).isEqualTo(DriverFailures.CLOSED);
        Field late = Class.forName("io.vertx.sqlclient.impl.pool.SqlConnectionPool").getDeclaredField("POOL_QUERY_TIMEOUT_EXCEPTION");
        late.setAccessible(true);
        assertThat(((VertxException) late.get(null)).getMessage()).isEqualTo(DriverFailures.POOL_QUERY_WAIT_OVER);
    }

    @Test
    void anotherFailureIsNeither() {
        for (Throwable other : new Throwable[] {new IllegalStateException("Timeout"), new VertxException("Timeout of something else"), new RuntimeException()}) {
            assertThat(DriverFailures.isOverloaded(other)).isFalse();
            assertThat(DriverFailures.isUnavailable(other)).isFalse();
        }
    }
}
