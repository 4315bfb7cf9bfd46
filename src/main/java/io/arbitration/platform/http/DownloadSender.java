package io.arbitration.platform.http;

import io.arbitration.platform.objects.Blocks;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a file, or the range that was asked for. The first block is there before the head is sent, so that a file that
 * cannot be read is an error and no broken answer; when a later one fails, the connection ends before the answer does.
 */
final class DownloadSender {

    private static final Logger LOG = LoggerFactory.getLogger(DownloadSender.class);

    private final RoutingContext context;
    private final HttpServerResponse response;
    private final Download download;
    private Blocks blocks;
    private boolean closed;

    DownloadSender(RoutingContext context, Download download) {
        this.context = context;
        this.response = context.response();
        this.download = download;
    }

    void send() {
        String entityTag = "\"" + download.entityTag() + "\"";
        response.putHeader(HttpHeaders.ACCEPT_RANGES, "bytes");
        Optional<ByteRange> asked = ByteRange.of(context.request().getHeader("Range"),
                context.request().getHeader("If-Range"), entityTag, download.bytes());
        if (asked.isEmpty()) {
            response.putHeader("Content-Range", "bytes */" + download.bytes());
            context.fail(HttpError.RANGE.refusal());
            return;
        }
        ByteRange range = asked.get();
        open(range).compose(opened -> {
            blocks = opened;
            response.closeHandler(gone -> close());
            if (response.closed()) {
                close();
            }
            return opened.next();
        }).onComplete(first -> {
            if (!response.closed()) {
                head(range, entityTag);
                body(first);
            }
        }, failed -> {
            close();
            context.fail(failed);
        });
    }

    private Future<Blocks> open(ByteRange range) {
        try {
            return download.source().open(range.from(), range.length());
        } catch (RuntimeException failed) {
            return Future.failedFuture(failed);
        }
    }

    private void head(ByteRange range, String entityTag) {
        response.setStatusCode(range.whole() ? 200 : 206)
                .putHeader(HttpHeaders.CONTENT_TYPE, download.contentType())
                .putHeader(HttpHeaders.CONTENT_LENGTH, String.valueOf(range.length()))
                // The bytes as they are: compressed ones would have another length and no ranges.
                .putHeader(HttpHeaders.CONTENT_ENCODING, HttpHeaders.IDENTITY)
                .putHeader(HttpHeaders.ETAG, entityTag)
                .putHeader(HttpHeaders.CACHE_CONTROL, "private, no-store")
                .putHeader("Content-Disposition", FileName.disposition(download.fileName()))
                // What a client uploaded must not run as the platform's own page, whatever it is.
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Content-Security-Policy", "sandbox; default-src 'none'");
        if (!range.whole()) {
            response.putHeader(HttpHeaders.CONTENT_RANGE, range.contentRange(download.bytes()));
        }
    }

    /** Writes a block while the next one is read; goes on when both are done. */
    private void body(Buffer block) {
        if (block.length() == 0) {
            close();
            response.end();
            return;
        }
        Future<Buffer> next = blocks.next();
        Future.join(response.write(block), next).onComplete(both -> body(next.result()), failed -> {
            close();
            if (!response.closed()) {
                LOG.error("request {}: a download broke off", context.<String>get(RequestId.KEY), failed);
                response.reset();
            }
        });
    }

    private void close() {
        if (!closed && blocks != null) {
            closed = true;
            blocks.close();
        }
    }
}
