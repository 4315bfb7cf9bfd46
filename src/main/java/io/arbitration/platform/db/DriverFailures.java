package io.arbitration.platform.db;

import io.vertx.core.VertxException;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;
import java.io.IOException;
import java.net.ConnectException;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/**
 * Tells apart what a statement fails with when it is not the statement's fault. By type and SQLSTATE; where the driver has
 * neither, by its message, and a test provokes each of those.
 */
final class DriverFailures {

    private static final String STATEMENT_ENDED = "57014";
    private static final String READ_ONLY = "25006";
    /**
     * Connection exception, an authorization or a database that is not taken for a new connection (a password that was changed, a database
     * that is being replaced), operator intervention (a shutdown, a crash) and insufficient resources (PostgreSQL, appendix A).
     */
    private static final Set<String> UNAVAILABLE_CLASSES = Set.of("08", "28", "3D", "53");
    private static final String OPERATOR_INTERVENTION = "57P";
    /** The server ended the session: idle in a transaction for too long, a transaction of too long, a shutdown, a crash, idle for too long. */
    private static final Set<String> SESSION_ENDED = Set.of("25P03", "25P04", "57P01", "57P02", "57P05");
    private static final String CONNECTION_EXCEPTION = "08";
    /** The driver has an exception of its own for a connection that is lost while an answer is awaited, and for nothing else. */
    static final String NOT_ACTIVE = "Connection is not active now, current status: ";
    static final String PENDING_NOT_SENT = "Pending requests failed to be sent due to connection has been closed.";
    static final String CLOSED = "Connection was closed";
    static final String TLS_FAILED = "SSL handshake failed";
    /** Of the pool: nobody gave a connection back in time. */
    static final String POOL_WAIT_OVER = "Timeout";
    static final String POOL_QUERY_WAIT_OVER = "Timeout waiting for connection";

    private DriverFailures() {}

    /** The connection broke, could not be made, or the server stops or takes no writes. */
    static boolean isUnavailable(Throwable failure) {
        return switch (failure) {
            case PgException database -> {
                String state = state(database);
                yield state.length() == 5 && UNAVAILABLE_CLASSES.contains(state.substring(0, 2)) || state.startsWith(OPERATOR_INTERVENTION)
                        || state.equals(READ_ONLY) || SESSION_ENDED.contains(state);
            }
            case ClosedConnectionException lost -> true;
            // A connection that is reset while a statement travels fails with whatever the socket says.
            case IOException socket -> true;
            case VertxException driver -> isBroken(String.valueOf(driver.getMessage()));
            case null, default -> false;
        };
    }

    /** A connection that was there has ended, by the server, by this side or in between. Not that a server cannot be reached. */
    static boolean isConnectionLost(Throwable failure) {
        return switch (failure) {
            case PgException database -> SESSION_ENDED.contains(state(database)) || state(database).startsWith(CONNECTION_EXCEPTION);
            case ClosedConnectionException lost -> true;
            case ConnectException unreached -> false;
            case IOException socket -> true;
            case VertxException driver -> isBroken(String.valueOf(driver.getMessage()));
            case null, default -> false;
        };
    }

    private static boolean isBroken(String message) {
        return message.equals(CLOSED) || message.equals(PENDING_NOT_SENT) || message.equals(TLS_FAILED)
                || message.equals(NOT_ACTIVE + "CLOSED") || message.equals(NOT_ACTIVE + "CLOSING");
    }

    /** No connection was free in time, or a statement took too long. */
    static boolean isOverloaded(Throwable failure) {
        return switch (failure) {
            case PgException database -> state(database).equals(STATEMENT_ENDED);
            case ConnectionPoolTooBusyException full -> true;
            case TimeoutException late -> true;
            case TenantShareUsedUp share -> true;
            case VertxException driver -> POOL_WAIT_OVER.equals(driver.getMessage()) || POOL_QUERY_WAIT_OVER.equals(driver.getMessage());
            case null, default -> false;
        };
    }

    private static String state(PgException database) {
        return database.getSqlState() == null ? "" : database.getSqlState();
    }
}
