package io.arbitration.platform.files;

import io.arbitration.platform.answer.UnreadAnswer;
import io.arbitration.platform.request.RequestContext;
import io.arbitration.platform.request.RequestId;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends an answer of unknown length. The head is sent when the first block is available; a failure before that is answered with
 * an error. After a later failure the connection is closed without the end of the body, so that the client does not take it for
 * complete.
 */
public final class StreamSender {

    private static final Logger LOG = LoggerFactory.getLogger(StreamSender.class);

    private final Vertx vertx;
    private final RoutingContext context;
    private final HttpServerResponse response;
    private final Streamed stream;
    private long wholeTimer = -1;
    private boolean closed;

    public StreamSender(Vertx vertx, RoutingContext context, Streamed stream) {
        this.vertx = vertx;
        this.context = context;
        this.response = context.response();
        this.stream = stream;
    }

    public void send() {
        if (response.closed()) {
            close();
            return;
        }
        context.addEndHandler(over -> close());
        wholeTimer = vertx.setTimer(stream.most().toMillis(), late -> disconnect("it took longer than %s".formatted(stream.most())));
        stream.blocks().next().onComplete(first -> RequestContext.run(context, () -> {
            if (!closed) {
                head();
                body(first);
            }
        }), failed -> RequestContext.run(context, () -> {
            if (!closed) {
                close();
                context.fail(failed);
            }
        }));
    }

    private void head() {
        response.putHeader(HttpHeaders.CONTENT_TYPE, stream.contentType())
                .putHeader(HttpHeaders.CACHE_CONTROL, "private, no-store")
                .putHeader("Content-Disposition", FileName.disposition(stream.fileName()))
                .putHeader("X-Content-Type-Options", "nosniff");
        if (context.request().version() == HttpVersion.HTTP_1_0) {
            response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        } else {
            response.setChunked(true);
        }
    }

    private void body(Buffer block) {
        if (closed) {
            return;
        }
        if (block.length() == 0) {
            close();
            response.end();
            return;
        }
        long stall = vertx.setTimer(stream.stall().toMillis(), late -> disconnect("the client took no block for %s".formatted(stream.stall())));
        response.write(block).onComplete(written -> {
            vertx.cancelTimer(stall);
            if (written.failed()) {
                // The client has disconnected and cannot be informed.
                close();
            } else if (!closed) {
                stream.blocks().next().onComplete(next -> RequestContext.run(context, () -> body(next)), failed -> RequestContext.run(context, () -> abort(String.valueOf(failed.getMessage()))));
            }
        });
    }

    /** Because the source failed; the client has received the bytes written before. */
    private void abort(String reason) {
        if (!closed) {
            closed(reason);
            response.reset();
        }
    }

    /** Because the client does not read, or does not read fast enough. */
    private void disconnect(String reason) {
        if (!closed) {
            closed(reason);
            UnreadAnswer.disconnect(context.request());
        }
    }

    private void closed(String reason) {
        close();
        LOG.warn("request {}: an answer was cut off: {}", context.<String>get(RequestId.KEY), reason);
    }

    private void close() {
        if (!closed) {
            closed = true;
            vertx.cancelTimer(wholeTimer);
            stream.blocks().close();
        }
    }
}
