package io.arbitration.platform.db;

import io.arbitration.platform.PartState;
import io.arbitration.platform.request.WorkOwner;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.pgclient.spi.PgDriver;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import io.vertx.sqlclient.spi.ConnectionFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The connection pool of the node, shared out among tenants ({@link ConnectionShares}). One statement at a time travels on a connection, but for a transaction that says
 * otherwise: pipelining the statements of many requests brought no throughput and a worse tail.
 */
public final class Database {

    private static final int STATEMENTS_CACHED = 256;
    /** A statement that takes longer is ended by the database: it waits for a lock that nobody gives back, or for a broken disk. */
    private static final int STATEMENT_MILLIS_MAX = 15_000;
    private static final int CONNECT_MILLIS_MAX = 10_000;
    /**
     * A server whose machine dies ends no connection; without this bound that would be noticed after 15 minutes. The pool closes a connection
     * after half of this time without use, so that a statement never starts on one that is about to be given up.
     */
    private static final Duration SILENCE = Duration.ofSeconds(60);
    /** The locks of a node that is stopped or cut off within a transaction are held for so long, and others wait for them. */
    private static final int TRANSACTION_IDLE_MILLIS_MAX = 3000;
    /** On the connection of one transaction, which may send a statement before the answer to the last; the pool never does. */
    private static final int STATEMENTS_IN_FLIGHT_MAX = 16;
    private static final int TRANSACTION_ATTEMPTS = 4;
    private static final long LOST_PAUSE_MILLIS = 50;
    /** Serialization failure and deadlock: the whole transaction may be tried again (PostgreSQL, appendix A). */
    private static final Set<String> TRY_AGAIN = Set.of("40001", "40P01");

    private final Pool pool;
    private final ConnectionShares shares;
    private final PgConnectOptions connection;
    private final Vertx vertx;
    private final ConnectionFactory<PgConnectOptions> outsidePool;
    private final Duration silence;
    private volatile Supplier<Future<Void>> mayBegin = Future::succeededFuture;

    private Database(Vertx vertx, Pool pool, ConnectionFactory<PgConnectOptions> outsidePool, ConnectionShares shares, PgConnectOptions connection, Duration silence) {
        this.vertx = vertx;
        this.pool = pool;
        this.outsidePool = outsidePool;
        this.shares = shares;
        this.connection = connection;
        this.silence = silence;
    }

    /** Opens the pool; connections are made when they are needed. */
    public static Database open(Vertx vertx, DatabaseUrl url, DatabaseSettings settings) {
        return open(vertx, url, settings, SILENCE);
    }

    /** @param silence a connection that brings nothing for so long is given up: more than twice as long as a statement may take */
    public static Database open(Vertx vertx, DatabaseUrl url, DatabaseSettings settings, Duration silence) {
        PgConnectOptions connection = url.connectOptions()
                .setCachePreparedStatements(true)
                .setPreparedStatementCacheMaxSize(STATEMENTS_CACHED)
                .setPipeliningLimit(STATEMENTS_IN_FLIGHT_MAX)
                .addProperty("application_name", "arbitration-platform")
                .addProperty("statement_timeout", String.valueOf(STATEMENT_MILLIS_MAX))
                .addProperty("idle_in_transaction_session_timeout", String.valueOf(TRANSACTION_IDLE_MILLIS_MAX));
        NetClientOptions network = new NetClientOptions().setConnectTimeout(CONNECT_MILLIS_MAX).setTcpKeepAlive(true)
                .setReadIdleTimeout((int) silence.toSeconds()).setIdleTimeoutUnit(TimeUnit.SECONDS);
        PoolOptions options = new PoolOptions()
                .setMaxSize(settings.poolConnections())
                .setMaxWaitQueueSize(settings.poolWaitersMax())
                .setConnectionTimeout((int) settings.poolWait().toMillis())
                .setConnectionTimeoutUnit(TimeUnit.MILLISECONDS)
                .setIdleTimeout((int) silence.toMillis() / 2)
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                .setShared(false);
        Vertx watching = SilentConnection.watching(vertx);
        return new Database(vertx, PgBuilder.pool().with(options).with(network).connectingTo(connection).using(watching).build(),
                PgDriver.INSTANCE.createConnectionFactory(watching, network),
                new ConnectionShares(vertx, settings.poolConnections(), settings.poolWaitersMax(), settings.poolWait()), connection, silence);
    }

    /** From now on the work of a transaction begins when this future succeeds, on the context of the transaction, and fails with it. */
    public void guard(Supplier<Future<Void>> allowed) {
        mayBegin = allowed;
    }

    /** Statements and transactions that wait for a connection. */
    public int waiting() {
        return shares.waiting();
    }

    /** How to connect, for a connection outside the pool. */
    public PgConnectOptions connection() {
        return new PgConnectOptions(connection);
    }

    /** A connection outside the pool, for one that keeps it. It is closed when it has brought nothing for {@link #silence()}. */
    public Future<PgConnection> connect() {
        return outsidePool.connect(vertx.getOrCreateContext(), connection()).map(PgConnection.class::cast);
    }

    /** A connection that brings nothing for so long is closed. */
    public Duration silence() {
        return silence;
    }

    public <T> Future<List<T>> query(String sql, Tuple values, Function<Row, T> read) {
        return shares.run(() -> query(pool, sql, values, read));
    }

    /** The same inside a transaction. */
    public static <T> Future<List<T>> query(SqlClient client, String sql, Tuple values, Function<Row, T> read) {
        return client.preparedQuery(sql).execute(values).map(rows -> {
            List<T> all = new ArrayList<>(rows.size());
            rows.forEach(row -> all.add(read.apply(row)));
            return all;
        });
    }

    /** What a query that finds one row at most has found. */
    public static <T> Optional<T> first(List<T> rows) {
        return rows.stream().findFirst();
    }

    /** Reads with statements that also run inside a transaction. */
    public <T> Future<T> read(Function<SqlClient, Future<T>> work) {
        return shares.run(() -> work.apply(pool));
    }

    /** Runs a statement and tells how many rows it changed. */
    public Future<Integer> update(String sql, Tuple values) {
        return shares.run(() -> pool.preparedQuery(sql).execute(values).map(rows -> rows.rowCount()));
    }

    /** The same for the request that holds the key, which is marked as decided when the statement is. */
    public Future<Integer> update(Optional<RequestKey> key, String sql, Tuple values) {
        return key.isEmpty() ? update(sql, values)
                : transaction(key, transaction -> transaction.preparedQuery(sql).execute(values).map(rows -> rows.rowCount()));
    }

    /** A statement that writes and answers with rows, for the request that holds the key. */
    public <T> Future<List<T>> query(Optional<RequestKey> key, String sql, Tuple values, Function<Row, T> read) {
        return key.isEmpty() ? query(sql, values, read) : transaction(key, transaction -> query(transaction, sql, values, read));
    }

    /**
     * Runs the work in one transaction, rolled back when it fails. Tried up to {@value #TRANSACTION_ATTEMPTS} times when
     * the database says that another transaction was in the way, or when the connection ended before the commit was sent: the server ends it
     * when the process stood still, and nothing is committed then. So the work must be repeatable.
     */
    public <T> Future<T> transaction(Function<SqlConnection, Future<T>> work) {
        return transaction(work, TRANSACTION_ATTEMPTS);
    }

    /** The same for the request that holds the key, which is marked as decided in this transaction. */
    public <T> Future<T> transaction(Optional<RequestKey> key, Function<SqlConnection, Future<T>> work) {
        return key.isEmpty() ? transaction(work)
                : transaction(connection -> work.apply(connection).compose(done -> RequestKey.mark(connection, List.of(key.get())).map(done)));
    }

    private <T> Future<T> transaction(Function<SqlConnection, Future<T>> work, int attempts) {
        AtomicBoolean refused = new AtomicBoolean();
        AtomicBoolean worked = new AtomicBoolean();
        // Asked when the connection is there: the wait for it may have been long.
        Function<SqlConnection, Future<T>> guarded = connection -> mayBegin.get().onFailure(no -> refused.set(true))
                .compose(allowed -> counted(work, connection)).map(done -> {
                    // From here on the commit is sent. Of a commit whose answer is lost, nobody knows whether it was made.
                    worked.set(true);
                    return done;
                });
        return shares.run(() -> pool.withTransaction(guarded)).recover(failure -> {
            if (attempts > 1 && isRetryable(failure)) {
                return transaction(work, attempts - 1);
            }
            // The pool has a lost connection until the driver has told it, and would hand it out at once.
            return attempts > 1 && !refused.get() && !worked.get() && DriverFailures.isConnectionLost(failure)
                    ? vertx.timer(LOST_PAUSE_MILLIS, TimeUnit.MILLISECONDS).compose(later -> transaction(work, attempts - 1))
                    : Future.failedFuture(failure);
        });
    }

    private static boolean isRetryable(Throwable failure) {
        return failure instanceof PgException database && TRY_AGAIN.contains(database.getSqlState());
    }

    private static <T> Future<T> counted(Function<SqlConnection, Future<T>> work, SqlConnection connection) {
        Optional<WorkOwner> owner = WorkOwner.now();
        owner.ifPresent(one -> one.countTransaction(1));
        Future<T> done;
        try {
            done = work.apply(connection);
        } catch (RuntimeException failed) {
            done = Future.failedFuture(failed);
        }
        return done.onComplete(ended -> owner.ifPresent(one -> one.countTransaction(-1)));
    }

    /** Whether it takes writes: a standby, or one that was made read-only, does not. Fails when it does not answer. */
    public Future<PartState> check() {
        return query("select current_setting('transaction_read_only') = 'on', pg_is_in_recovery()", Tuple.tuple(),
                row -> !row.getBoolean(0) ? PartState.of("UP") : new PartState("READ_ONLY", Optional.of(row.getBoolean(1)
                        ? "the database is a standby and takes no writes" : "the database is set to be read-only")))
                .map(List::getFirst);
    }

    /** Whether the database itself, not the statement, was the trouble. */
    public static boolean isUnavailable(Throwable failure) {
        return DriverFailures.isUnavailable(failure);
    }

    /** Whether no connection was free in time, or a statement took too long. */
    public static boolean isOverloaded(Throwable failure) {
        return DriverFailures.isOverloaded(failure);
    }

    public Future<Void> close() {
        Promise<Void> closed = Promise.promise();
        outsidePool.close(closed);
        return Future.join(pool.close(), closed.future()).mapEmpty();
    }
}
