package io.arbitration.platform.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.arbitration.domain.hash.Sha256;
import io.arbitration.platform.objects.Bucket;
import io.arbitration.platform.objects.Fingerprint;
import io.arbitration.platform.objects.ObjectAddress;
import io.arbitration.platform.objects.ObjectSettings;
import io.arbitration.platform.objects.ObjectStores;
import io.arbitration.platform.objects.PendingObjectRepository;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are read where they are stored, for the index. */
class ObjectReaderTest {

    private static final ObjectAddress ADDRESS = ObjectAddress.parse("file://evidence/claim.pdf").orElseThrow();

    private final Vertx vertx = Vertx.vertx();
    private final ReadingProcesses processes = new ReadingProcesses(vertx);
    @TempDir
    Path folder;

    @AfterEach
    void close() {
        processes.close();
        vertx.close();
    }

    /** A filing, and with it its files, can be removed at any moment. */
    @Test
    void aFileThatIsRemovedWhileItIsReadIsMissingAndNotDamaged() throws IOException {
        byte[] content = SamplePdfs.saying("Twelve cranes.");
        Path stored = folder.resolve("evidence/claim.pdf");
        Files.createDirectories(stored.getParent());
        Files.write(stored, content);
        // Of a file of one block; nothing is written here, so no row of an unfinished upload is needed.
        Fingerprint fingerprint = new Fingerprint(content.length, HexFormat.of().formatHex(Sha256.of(content)), Buffer.buffer(Sha256.of(content)));
        ObjectStores objects = ObjectStores.open(vertx, new ObjectSettings(List.of(Bucket.parse("file://evidence").orElseThrow()), folder, Optional.empty(), Optional.empty()),
                new PendingObjectRepository(vertx, null), Clock.systemUTC(), new Random());
        AtomicInteger asked = new AtomicInteger();
        ObjectReader reader = ObjectReader.inPlace(vertx, objects, processes, new ReadingBounds(1_000_000, 10, Duration.ofSeconds(60)), () -> {
            if (asked.incrementAndGet() == 2) {
                remove(stored);
            }
            return Scans.PASSED_OVER;
        });
        assertThat(read(reader, fingerprint).text()).contains("Twelve cranes.");

        Throwable failure = catchThrowable(() -> read(reader, fingerprint)).getCause();
        assertThat(failure).isInstanceOfSatisfying(Unreadable.class, unreadable -> assertThat(unreadable.reason()).isEqualTo(Unreadable.Reason.MISSING));
        assertThat(asked).hasValue(2);
    }

    private static Reading read(ObjectReader reader, Fingerprint fingerprint) throws CompletionException {
        return reader.read(ADDRESS, Optional.of(fingerprint), "application/pdf").toCompletionStage().toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }

    private static void remove(Path file) {
        try {
            Files.delete(file);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
