package io.arbitration.platform.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arbitration.platform.keys.CryptoProvider;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TimeZone;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZipWriterTest {

    private static final Instant AT = Instant.parse("2026-11-21T08:30:42Z");
    private static final int LOCAL_HEADER_BYTES = 30 + "text/ä 文.txt".getBytes(StandardCharsets.UTF_8).length;
    private static final long LARGE_BYTES = 4_400_000_000L;

    /** Four files as the platform wrote them before it used a library. */
    private static final String OF_THE_FIRST_WRITER = """
            UEsDBBQACAgIAMATfVwAAAAAAAAAAAAAAAAIAAAAdGV4dC50eHRLTEpOHHwIAFBLBwjRZVh8CAAAAJYAAABQSwMEFAAICAgAwBN9
            XAAAAAAAAAAAAAAAAAYAAADDpC5iaW4BAwD8/wECA1BLBwgdgLxVCAAAAAMAAABQSwMELQAICAgAwBN9XAAAAAD//////////wkA
            FABsYXJnZS50eHQBABAAAAAAAAAAAAAAAAAAAAAAAMtPUyjNy87LL89TyEnNSy/JAABQSwcIgHRrURMAAAAAAAAAEQAAAAAAAABQ
            SwMEFAAACAAAwBN9XEO/pqMCAAAAAgAAAAsAAABzdG9yZWQuanNvbnt9UEsBAhQDFAAICAgAwBN9XNFlWHwIAAAAlgAAAAgAAAAA
            AAAAAAAAAKSBAAAAAHRleHQudHh0UEsBAhQDFAAICAgAwBN9XB2AvFUIAAAAAwAAAAYAAAAAAAAAAAAAAKSBPgAAAMOkLmJpblBL
            AQItAy0ACAgIAMATfVyAdGtR//////////8JABQAAAAAAAAAAACkgXoAAABsYXJnZS50eHQBABAAEQAAAAAAAAATAAAAAAAAAFBL
            AQIUAxQAAAgAAMATfVxDv6ajAgAAAAIAAAALAAAAAAAAAAAAAACkgeAAAABzdG9yZWQuanNvblBLBQYAAAAABAAEAO4AAAALAQAA
            AAA=
            """;

    @TempDir
    private Path folder;

    /** As a node does; the JDK's own SHA-256 would take minutes here, where the second compiler is off. */
    @BeforeAll
    static void hashAsANodeDoes() {
        CryptoProvider.install();
    }

    private static byte[] noise(int length) {
        byte[] bytes = new byte[length];
        new Random(7).nextBytes(bytes);
        return bytes;
    }

    private Path small() throws Exception {
        return zip("small.zip", 300_000);
    }

    /** Files of each kind, of which two have a length. */
    private Path zip(String name, int length) throws Exception {
        Path file = folder.resolve(name);
        try (OutputStream out = Files.newOutputStream(file); ZipWriter zip = new ZipWriter(out, AT)) {
            zip.compressed("text/ä 文.txt", to -> to.write("abc".repeat(length / 3).getBytes(StandardCharsets.US_ASCII)));
            zip.copied("noise.bin", length, to -> to.write(noise(length)));
            zip.compressedLarge("large.txt", to -> to.write("of unknown length".getBytes(StandardCharsets.US_ASCII)));
            zip.compressed("empty", to -> { });
            zip.stored("stored.json", "{}".getBytes(StandardCharsets.US_ASCII));
            zip.finish();
        }
        return file;
    }

    @Test
    void otherProgramsReadWhatIsWritten() throws Exception {
        Path file = small();
        try (ZipFile zip = new ZipFile(file.toFile())) {
            assertThat(zip.stream().map(ZipEntry::getName)).containsExactly("text/ä 文.txt", "noise.bin", "large.txt", "empty", "stored.json");
            assertThat(zip.getInputStream(zip.getEntry("text/ä 文.txt")).readAllBytes()).hasSize(300_000);
            assertThat(zip.getInputStream(zip.getEntry("noise.bin")).readAllBytes()).isEqualTo(noise(300_000));
            assertThat(zip.getEntry("text/ä 文.txt").getCompressedSize()).isLessThan(5_000);
            // Level 0: five bytes for each block of 64 KB.
            assertThat(zip.getEntry("noise.bin").getCompressedSize()).isBetween(300_000L, 300_100L);
        }
        assumeTrue(runs("python3", "--version"), "skipped: no python3 here");
        assertThat(runs("python3", "-c", "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); sys.exit(z.testzip() is not None or len(z.namelist()) != 5)",
                file.toString())).isTrue();
        assumeTrue(runs("unzip", "-v"), "skipped: no unzip here");
        assertThat(runs("unzip", "-tq", file.toString())).isTrue();
    }

    @Test
    void theReaderSeesEveryByteOnceAndTheirHash() throws Exception {
        Path file = small();
        try (ZipReader zip = ZipReader.open(file, 10)) {
            for (ZipReader.Member member : zip.members()) {
                zip.read(member, in -> assertThat(in.readNBytes(1)).hasSizeLessThanOrEqualTo(1));
            }
            byte[] all = Files.readAllBytes(file);
            long directoryAt = zip.members().getLast().offset() + 30 + "stored.json".length() + 2;
            assertThat(zip.sha256()).isEqualTo(HexFormat.of().formatHex(
                    java.security.MessageDigest.getInstance("SHA-256").digest(java.util.Arrays.copyOf(all, (int) directoryAt))));
        }
        assertThatThrownBy(() -> ZipReader.open(file, 4)).isInstanceOf(InvalidArchive.class).hasMessageContaining("at most 4");
    }

    @Test
    void archivesOfTheWriterBeforeAreReadStill() throws Exception {
        Path file = Files.write(folder.resolve("first.zip"), Base64.getMimeDecoder().decode(OF_THE_FIRST_WRITER));
        List<String> contents = new ArrayList<>();
        try (ZipReader zip = ZipReader.open(file, 10)) {
            for (ZipReader.Member member : zip.members()) {
                zip.read(member, in -> contents.add(member.path() + " " + in.readAllBytes().length));
            }
        }
        assertThat(contents).containsExactly("text.txt 150", "ä.bin 3", "large.txt 17", "stored.json 2");
    }

    /** The format has local time, and at 02:30 of that day there was none in Berlin. */
    @Test
    void theSameFilesMakeTheSameBytesInEveryZone() throws Exception {
        TimeZone before = TimeZone.getDefault();
        Set<String> hashes = new HashSet<>();
        try {
            for (String zone : List.of("UTC", "Europe/Berlin", "Pacific/Kiritimati", "America/St_Johns")) {
                TimeZone.setDefault(TimeZone.getTimeZone(zone));
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                try (ZipWriter zip = new ZipWriter(out, Instant.parse("2026-03-29T02:30:00Z"))) {
                    zip.compressedLarge("a", to -> to.write(1));
                    zip.finish();
                }
                hashes.add(HexFormat.of().formatHex(out.toByteArray()));
                ZipReader.open(Files.write(folder.resolve("zone.zip"), out.toByteArray()), 1).close();
            }
        } finally {
            TimeZone.setDefault(before);
        }
        assertThat(hashes).hasSize(1);
    }

    /** Cut off, an archive must not look whole. */
    @Test
    void anArchiveThatWasNotFinishedHasNoDirectory() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipWriter zip = new ZipWriter(out, AT)) {
            zip.compressed("a", to -> to.write(1));
        }
        Path file = Files.write(folder.resolve("cut.zip"), out.toByteArray());
        assertThatThrownBy(() -> ZipReader.open(file, 1)).isInstanceOf(InvalidArchive.class).hasMessageContaining("its end is missing");
    }

    /** Each bit of the headers, the directory and the end: what programs go by when they unpack. */
    @Test
    void everyFlippedBitOutsideOfTheContentsIsNoticed() throws Exception {
        Path file = zip("flipped.zip", 300);
        byte[] all = Files.readAllBytes(file);
        int directoryAt = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN).getInt(all.length - 6);
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            for (int at = 0; at < all.length; at = at == LOCAL_HEADER_BYTES - 1 ? directoryAt : at + 1) {
                for (int bit = 0; bit < 8; bit++) {
                    overwrite(bytes, at, all[at] ^ 1 << bit);
                    assertThat(catchThrowable(() -> readWhole(file))).as("byte %d, bit %d; directory at %d of %d", at, bit, directoryAt, all.length)
                            .isInstanceOf(InvalidArchive.class);
                }
                overwrite(bytes, at, all[at]);
            }
        }
        readWhole(file);
    }

    private static void overwrite(RandomAccessFile file, int at, int value) throws IOException {
        file.seek(at);
        file.write(value);
    }

    private static void readWhole(Path file) throws IOException {
        try (ZipReader zip = ZipReader.open(file, 10)) {
            for (ZipReader.Member member : zip.members()) {
                zip.read(member, in -> { });
            }
        }
    }

    @Test
    void moreFilesThanTwoBytesCountAreFound() throws Exception {
        Path file = folder.resolve("many.zip");
        int count = 70_000;
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file)); ZipWriter zip = new ZipWriter(out, AT)) {
            for (int i = 0; i < count; i++) {
                zip.stored("f" + i, new byte[] {(byte) i});
            }
            zip.finish();
        }
        try (ZipFile zip = new ZipFile(file.toFile())) {
            assertThat(zip.size()).isEqualTo(count);
        }
        try (ZipReader zip = ZipReader.open(file, count)) {
            assertThat(zip.members()).hasSize(count);
        }
    }

    @Test
    void aFileOfMoreThanFourGigabytesAndOnesBehindItAreRead() throws Exception {
        Path file = folder.resolve("large.zip");
        byte[] zeros = new byte[1 << 20];
        try (OutputStream out = new Sparse(file); ZipWriter zip = new ZipWriter(out, AT)) {
            zip.copied("zeros", LARGE_BYTES, to -> {
                for (long left = LARGE_BYTES; left > 0; left -= zeros.length) {
                    to.write(zeros, 0, (int) Math.min(left, zeros.length));
                }
            });
            zip.compressed("behind", to -> to.write("here".getBytes(StandardCharsets.US_ASCII)));
            zip.finish();
        }
        try (ZipFile zip = new ZipFile(file.toFile())) {
            assertThat(zip.getEntry("zeros").getSize()).isEqualTo(LARGE_BYTES);
            try (InputStream in = zip.getInputStream(zip.getEntry("behind"))) {
                assertThat(in.readAllBytes()).asString().isEqualTo("here");
            }
        }
        try (ZipReader zip = ZipReader.open(file, 2)) {
            assertThat(zip.whole(zip.members().getLast(), 100)).asString().isEqualTo("here");
            assertThat(zip.members().getFirst().bytes()).isEqualTo(LARGE_BYTES);
        }
    }

    /** Leaves holes in the file where only zeros are written. */
    private static final class Sparse extends OutputStream {

        private final RandomAccessFile file;

        Sparse(Path path) throws IOException {
            file = new RandomAccessFile(path.toFile(), "rw");
        }

        @Override
        public void write(int one) throws IOException {
            file.write(one);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            for (int at = offset; at < offset + length; at += 4096) {
                int part = Math.min(4096, offset + length - at);
                if (java.util.Arrays.mismatch(bytes, at, at + part, new byte[4096], 0, part) < 0) {
                    file.seek(file.getFilePointer() + part);
                } else {
                    file.write(bytes, at, part);
                }
            }
        }

        @Override
        public void close() throws IOException {
            file.setLength(file.getFilePointer());
            file.close();
        }
    }

    private static boolean runs(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
        } catch (IOException notThere) {
            return false;
        }
    }
}
