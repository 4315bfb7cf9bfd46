package io.arbitration.platform.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.Settings;
import io.arbitration.platform.keys.ContainerRole;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.List;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reading from a store whose connections do not hold. */
class S3StoreTest {

    private static final int LENGTH = 10 * 1024 * 1024;

    private final Vertx vertx = Vertx.vertx();
    private final WorkerExecutor worker = vertx.createSharedWorkerExecutor("objects", 2);
    private final HttpClient client = vertx.createHttpClient();
    private final byte[] object = new byte[LENGTH];

    S3StoreTest() {
        new Random(LENGTH).nextBytes(object);
    }

    @AfterEach
    void close() throws Exception {
        vertx.close().await(60, TimeUnit.SECONDS);
    }

    /** The bytes in [from, to), read block by block. */
    private byte[] read(BreakingStore store, int from, int to) throws Exception {
        return read(store, from, to, block -> {});
    }

    private byte[] read(BreakingStore store, int from, int to, ObjectStore.Check check) throws Exception {
        S3Store reading = new S3Store(vertx, client, new S3Settings(store.endpoint(), "eu-north-1", "key", "secret"), "bucket", worker, new Semaphore(1));
        Promise<Buffer> all = Promise.promise();
        vertx.runOnContext(begin -> reading.read("object", from, to - from, check).compose(blocks -> rest(blocks, Buffer.buffer())).onComplete(all));
        return all.future().await(60, TimeUnit.SECONDS).getBytes();
    }

    private static Future<Buffer> rest(Blocks blocks, Buffer read) {
        return blocks.next().compose(block -> block.length() == 0 ? Future.succeededFuture(read) : rest(blocks, read.appendBuffer(block)));
    }

    @Test
    void withoutKeysEachRequestIsSignedWithThoseThatTheRoleHasThen() throws Exception {
        List<String> signedBy = new CopyOnWriteArrayList<>();
        HttpServer bucket = vertx.createHttpServer().requestHandler(request -> {
            signedBy.add(request.getHeader("Authorization").replaceAll(".*Credential=([^/]*)/.*", "$1") + " " + request.getHeader("X-Amz-Security-Token"));
            request.response().putHeader("Content-Length", "12345").end();
        }).listen(0, "127.0.0.1").await(60, TimeUnit.SECONDS);
        try (ContainerRole role = new ContainerRole(Duration.ofSeconds(10))) {
            S3Settings settings = new S3Settings("http://127.0.0.1:" + bucket.actualPort(), "eu-north-1", "", "");
            S3Store store = new S3Store(vertx, client, settings, "bucket", worker, new Semaphore(1));
            assertThat(store.length("object").await(60, TimeUnit.SECONDS)).isEqualTo(12_345);
            role.lifetime(Duration.ofHours(6));
            for (int i = 0; i < 3; i++) {
                assertThat(store.length("object").await(60, TimeUnit.SECONDS)).isEqualTo(12_345);
            }
        }
        assertThat(signedBy).containsExactly("ASIA1 session1", "ASIA2 session2", "ASIA2 session2", "ASIA2 session2");
    }

    @Test
    void aConnectionThatClosesBehindItsLastByteLosesNothing() throws Exception {
        try (BreakingStore store = new BreakingStore(object, LENGTH)) {
            for (int i = 0; i < 20; i++) {
                int to = 1_000_000 + i * 100_000;
                // All is on its way and the store has gone, while the first block is looked at.
                byte[] read = read(store, 0, to, block -> store.awaitClosed());
                assertThat(Arrays.equals(read, Arrays.copyOf(object, to))).as("%d bytes", to).isTrue();
            }
        }
    }

    @Test
    void readingGoesOnWhereAConnectionBroke() throws Exception {
        int from = 300_000;
        int to = LENGTH - 7;
        for (int most : new int[] {1_000_000, 300_001, 65_536, 9_999_999}) {
            try (BreakingStore store = new BreakingStore(object, most)) {
                assertThat(Arrays.equals(read(store, from, to), Arrays.copyOfRange(object, from, to))).as("%d bytes a connection", most).isTrue();
                assertThat(store.asked()).isSorted().startsWith((long) from).hasSizeGreaterThan((to - from) / most);
            }
        }
    }

    @Test
    void aStoreThatBringsNothingIsNotAskedForEver() throws Exception {
        try (BreakingStore store = new BreakingStore(object, 0)) {
            assertThatThrownBy(() -> read(store, 0, LENGTH)).isInstanceOfSatisfying(ObjectFailure.class,
                    failure -> assertThat(failure.kind()).isEqualTo(ObjectFailure.Kind.UNAVAILABLE));
            assertThat(store.asked()).hasSizeBetween(2, 10).containsOnly(0L);
        }
    }
}
