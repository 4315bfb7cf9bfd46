package io.arbitration.platform.files;

import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.objects.Blocks;
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
 * Sends a file, or the range of it that was asked for. The first block is there before the head is sent, so that a file that
 * cannot be read is an error and no broken answer; when a later one fails, the connection ends before the answer does.
 */
public final class DownloadSender {

    private static final Logger LOG = LoggerFactory.getLogger(DownloadSender.class);

    private final RoutingContext context;
    private final HttpServerResponse response;
    private final Download download;
    private Blocks blocks;
    private boolean closed;

    public DownloadSender(RoutingContext context, Download download) {
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
            response.closeHandler(gone -> close());
            if (response.closed()) {
                close();
            }
            return opened.next();
        }).onComplete(first -> {
            if (!response.closed()) {
                head.run();
                body(first);
            }
        }, failed -> {
            close();
            context.fail(failed);
        });
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
                // What a client uploaded must not run as the platform's own page, whatever it is.
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Content-Security-Policy", "sandbox; default-src 'none'");
    }

    /** Writes a block while the next one is read; goes on when both are done. A loop, because both may be done at once. */
    private void body(Buffer first) {
        Buffer block = first;
        while (block.length() > 0) {
            if (response.closed()) {
                close();
                return;
            }
            Future<Buffer> next = blocks.next();
            Future<Void> sent = response.write(block);
            Future<?> both = Future.join(sent, next);
            if (!both.succeeded()) {
                both.onComplete(done -> body(next.result()), failed -> {
                    close();
                    // Without the client nobody is left to be told.
                    if (sent.succeeded()) {
                        breakOff(failed);
                    }
                });
                return;
            }
            block = next.result();
        }
        close();
        response.end();
    }

    /** The head is out: only a connection that ends too early tells the client that the rest is missing. */
    private void breakOff(Throwable failed) {
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
