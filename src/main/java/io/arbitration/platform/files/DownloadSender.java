package io.arbitration.platform.files;

import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.LeastPace;
import io.arbitration.platform.objects.Blocks;
import io.arbitration.platform.request.RequestContext;
import io.arbitration.platform.request.RequestId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a file, or the requested range. The first block is read before the head is sent, so that a file that cannot be read is
 * answered with an error. If a later block fails, the connection is closed before the end of the body, so that the client
 * notices.
 */
public final class DownloadSender {

    private static final Logger LOG = LoggerFactory.getLogger(DownloadSender.class);

    private final RoutingContext context;
    private final HttpServerResponse response;
    private final Download download;
    private final LeastPace pace;
    private Blocks blocks;
    private boolean closed;

    /** @param pace least rate of each block over HTTP/2; for HTTP/1.1 the server measures the connection */
    public DownloadSender(RoutingContext context, Download download, LeastPace pace) {
        this.pace = pace;
        this.context = context;
        this.response = context.response();
        this.download = download;
    }

    public void send() {
        switch (download) {
            case Download.Stored stored -> send(stored);
            case Download.Made made -> send(made.source()::open, () -> head(made));
        }
    }

    private void send(Download.Stored stored) {
        response.putHeader(HttpHeaders.ACCEPT_RANGES, "bytes");
        Optional<ByteRange> asked = ByteRange.of(context.request().getHeader("Range"),
                context.request().getHeader("If-Range"), quoted(stored), stored.bytes());
        if (asked.isEmpty()) {
            response.putHeader(HttpHeaders.CONTENT_RANGE, "bytes */" + stored.bytes());
            context.fail(HttpError.RANGE.refusal());
            return;
        }
        ByteRange range = asked.get();
        send(() -> stored.source().open(range.from(), range.length()), () -> head(stored, range));
    }

    private void send(Supplier<Future<Blocks>> source, Runnable head) {
        open(source).compose(opened -> {
            blocks = opened;
            context.addEndHandler(over -> close());
            if (response.closed()) {
                close();
            }
            return opened.next();
        }).onComplete(first -> RequestContext.run(context, () -> {
            if (!response.closed()) {
                head.run();
                body(first);
            }
        }), failed -> RequestContext.run(context, () -> {
            close();
            context.fail(failed);
        }));
    }

    private static Future<Blocks> open(Supplier<Future<Blocks>> source) {
        try {
            return source.get();
        } catch (RuntimeException failed) {
            return Future.failedFuture(failed);
        }
    }

    private static String quoted(Download.Stored stored) {
        return "\"" + stored.entityTag() + "\"";
    }

    private void head(Download.Stored stored, ByteRange range) {
        head((Download) stored);
        response.setStatusCode(range.whole() ? 200 : 206)
                .putHeader(HttpHeaders.CONTENT_LENGTH, String.valueOf(range.length()))
                .putHeader(HttpHeaders.ETAG, quoted(stored));
        if (!range.whole()) {
            response.putHeader(HttpHeaders.CONTENT_RANGE, range.contentRange(stored.bytes()));
        }
    }

    private void head(Download.Made made) {
        head((Download) made);
        response.setStatusCode(200).setChunked(true);
    }

    private void head(Download any) {
        response.putHeader(HttpHeaders.CONTENT_TYPE, any.contentType())
                .putHeader(HttpHeaders.CACHE_CONTROL, "private, no-store")
                .putHeader("Content-Disposition", FileName.disposition(any.fileName()))
                // A file that a user uploaded must never run as a page of the platform.
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Content-Security-Policy", "sandbox; default-src 'none'");
    }

    /**
     * Sends a block while the next one is read, and continues when both have completed. It is a loop because recursion could
     * overflow the stack when both complete at once.
     */
    private void body(Buffer first) {
        Buffer block = first;
        while (block.length() > 0) {
            if (response.closed()) {
                close();
                return;
            }
            Future<Buffer> next = blocks.next();
            Future<Void> sent = response.write(block);
            pace.watch(context.vertx(), context.request(), sent, block.length());
            Future<?> both = Future.join(sent, next);
            if (!both.succeeded()) {
                both.onComplete(done -> RequestContext.run(context, () -> body(next.result())), failed -> RequestContext.run(context, () -> {
                    close();
                    // If sending failed, the client has disconnected and cannot be informed.
                    if (sent.succeeded()) {
                        disconnect(failed);
                    }
                }));
                return;
            }
            block = next.result();
        }
        close();
        response.end();
    }

    /** Closes the connection: the head has been sent, so only this shows the client that the rest is missing. */
    private void disconnect(Throwable failed) {
        if (!response.closed()) {
            LOG.error("request {}: a download broke off: {}", context.<String>get(RequestId.KEY), failed.toString());
            response.reset();
        }
    }

    private void close() {
        if (!closed && blocks != null) {
            closed = true;
            blocks.close();
        }
    }
}
