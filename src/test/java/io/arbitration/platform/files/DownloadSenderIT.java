package io.arbitration.platform.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.platform.answer.LeastPace;
import io.arbitration.platform.objects.Blocks;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.StreamResetException;
import io.vertx.ext.web.Router;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Over HTTP/2 a client grants each stream what may be sent: a download that is granted little or nothing holds no file open for long, and no memory. */
class DownloadSenderIT {

    private static final int BLOCK_BYTES = 262_144;
    private static final int BLOCKS = 16;
    private static final int WINDOW_BYTES = 65_535;
    /** A block has its second, and one more. */
    private static final LeastPace PACE = new LeastPace(BLOCK_BYTES, 1);

    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger read = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();
    private HttpServer server;
    /** Vert.x closes a client that nobody refers to any more. */
    private HttpClientAgent client;

    /** A file of blocks in memory that says how much of it was asked for. */
    private final class Counted implements Blocks {

        @Override
        public Future<Buffer> next() {
            return Future.succeededFuture(read.incrementAndGet() > BLOCKS ? Buffer.buffer() : Buffer.buffer(new byte[BLOCK_BYTES]));
        }

        @Override
        public void close() {
            closed.set(true);
        }
    }

    @BeforeEach
    void start() {
        Router router = Router.router(vertx);
        router.get("/stored").handler(context -> new DownloadSender(context, new Download.Stored("application/pdf", "a.pdf", (long) BLOCKS * BLOCK_BYTES, "tag",
                (from, length) -> Future.succeededFuture(new Counted())), PACE).send());
        router.get("/made").handler(context -> new DownloadSender(context, new Download.Made("application/zip", "a.zip", () -> Future.succeededFuture(new Counted())), PACE).send());
        server = Await.result(vertx.createHttpServer().requestHandler(router).listen(0));
    }

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    private Future<HttpClientResponse> asked(String path, int window) {
        client = vertx.createHttpClient(new HttpClientOptions().setInitialSettings(new Http2Settings().setInitialWindowSize(window))
                .setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false));
        return client.request(HttpMethod.GET, server.actualPort(), "localhost", path).compose(request -> request.send());
    }

    private void isCutOff(String path, int window) {
        Promise<Throwable> reset = Promise.promise();
        HttpClientResponse answer = Await.result(asked(path, window).onSuccess(one -> {
            one.exceptionHandler(reset::tryComplete);
            // What has come is not taken, so that nothing more is granted.
            one.pause();
        }));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(Await.result(reset.future())).isInstanceOf(StreamResetException.class);
        Await.until("the file is closed", closed::get);
        assertThat(read.get()).as("blocks that were read: one to be sent and the one behind it").isLessThanOrEqualTo(2);
    }

    @Test
    void aDownloadThatIsGrantedNothingIsResetAndItsFileClosed() {
        isCutOff("/stored", 0);
    }

    @Test
    void anArchiveThatIsMadeMeanwhileAsWell() {
        isCutOff("/made", 0);
    }

    @Test
    void aDownloadThatIsNotTakenAfterItsFirstWindowIsReset() {
        isCutOff("/stored", WINDOW_BYTES);
    }

    /** All blocks together take longer than one of them may; each has a time of its own. */
    @Test
    void whoTakesItBlockByBlockGetsItWhole() {
        AtomicInteger bytes = new AtomicInteger();
        Promise<Void> ended = Promise.promise();
        asked("/stored", WINDOW_BYTES).onSuccess(answer -> {
            answer.exceptionHandler(ended::tryFail);
            answer.endHandler(end -> ended.tryComplete());
            answer.handler(part -> {
                boolean wasBlock = bytes.get() / BLOCK_BYTES < bytes.addAndGet(part.length()) / BLOCK_BYTES;
                if (wasBlock) {
                    answer.pause();
                    vertx.setTimer(200, later -> answer.resume());
                }
            });
        }).onFailure(ended::tryFail);
        Await.result(ended.future());
        assertThat(bytes.get()).isEqualTo(BLOCKS * BLOCK_BYTES);
        Await.until("the file is closed", closed::get);
    }
}
