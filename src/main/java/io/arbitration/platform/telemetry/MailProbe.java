package io.arbitration.platform.telemetry;

import io.arbitration.platform.PartState;
import io.arbitration.platform.config.SmtpUrl;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.util.Optional;

/** Checks whether the mail server accepts connections; sends no mail and does not sign in. */
public final class MailProbe {

    private static final int CONNECT_MILLIS_MAX = 4000;
    private static final int GREETING_CHARS_MAX = 200;

    private final NetClient client;
    private final SmtpUrl url;

    public MailProbe(Vertx vertx, SmtpUrl url) {
        this.client = vertx.createNetClient(new NetClientOptions().setConnectTimeout(CONNECT_MILLIS_MAX));
        this.url = url;
    }

    /** Connects. A server greets with 220; if the connection begins with TLS, an accepted connection is enough. */
    public Future<PartState> check() {
        return client.connect(url.port(), url.host()).compose(socket -> url.tls()
                ? socket.close().map(PartState.of("UP"))
                : greeting(socket));
    }

    private static Future<PartState> greeting(NetSocket socket) {
        Promise<PartState> seen = Promise.promise();
        socket.handler(bytes -> {
            String line = bytes.getString(0, Math.min(bytes.length(), GREETING_CHARS_MAX)).lines().findFirst().orElse("");
            seen.tryComplete(line.startsWith("220") ? PartState.of("UP") : new PartState("DOWN", Optional.of("the mail server says: " + line)));
            socket.end(io.vertx.core.buffer.Buffer.buffer("QUIT\r\n"));
        });
        socket.closeHandler(closed -> seen.tryComplete(new PartState("DOWN", Optional.of("the mail server closed the connection"))));
        socket.exceptionHandler(failed -> seen.tryFail(failed));
        // The connection is also closed if the server sends no greeting in time.
        return seen.future().timeout(CONNECT_MILLIS_MAX, java.util.concurrent.TimeUnit.MILLISECONDS).onFailure(failed -> socket.close());
    }
}
