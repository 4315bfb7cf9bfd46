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

/** Whether the mail server takes connections; it is greeted by nobody and handed nothing. */
public final class MailProbe {

    private static final int CONNECT_MILLIS_MAX = 4000;
    private static final int GREETING_CHARS_MAX = 200;

    private final NetClient client;
    private final SmtpUrl url;

    public MailProbe(Vertx vertx, SmtpUrl url) {
        this.client = vertx.createNetClient(new NetClientOptions().setConnectTimeout(CONNECT_MILLIS_MAX));
        this.url = url;
    }

    /** Connects. A server that speaks first says 220, one that waits for TLS nothing: there the connection is enough. */
    public Future<PartState> look() {
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
        // A server that says nothing is left as well, when the one who waits has given up.
        return seen.future().timeout(CONNECT_MILLIS_MAX, java.util.concurrent.TimeUnit.MILLISECONDS).onFailure(failed -> socket.close());
    }
}
