package io.arbitration.platform.server;

import io.arbitration.platform.StartFailure;
import io.arbitration.platform.config.Configuration;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServer;
import java.net.SocketException;

/** The server cannot listen on a port: another process uses it, this user may not, or the machine has no such address. */
public final class ListenFailure extends StartFailure {

    private ListenFailure(String key, String host, int port, Throwable cause) {
        super(FAILED, "%s: cannot listen on %s:%d: %s; %s chooses another".formatted(
                key, host, port, reason(cause), key.startsWith("areas.") ? key : Configuration.variable(key)), cause);
    }

    private static String reason(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        // Netty says "bind(..) failed with error(-98): Address already in use" or the like.
        return message.contains("in use") ? "the port is in use by another process" : message;
    }

    /** Listens, or fails with this error, which names the setting of the port. */
    static Future<HttpServer> listen(HttpServer server, String key, String host, int port) {
        return server.listen(port, host).recover(failure -> Future.failedFuture(
                failure instanceof SocketException || failure instanceof java.nio.channels.UnresolvedAddressException
                        || failure instanceof java.net.UnknownHostException
                        ? new ListenFailure(key, host, port, failure) : failure));
    }
}
