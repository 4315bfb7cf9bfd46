package io.arbitration.platform.reading;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.graphics.image.LosslessFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong with PDFs is told by its name, and what is not wrong is taken. */
class PdfCheckTest {

    private static final Vertx VERTX = Vertx.vertx();
    private static final ReadingProcesses PROCESSES = new ReadingProcesses(VERTX);
    private static final Duration TIME = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    @AfterAll
    static void close() {
        PROCESSES.close();
        VERTX.close();
    }

    private PdfCheck check(byte[] pdf) {
        return check(PROCESSES, pdf, TIME);
    }

    private PdfCheck check(ReadingProcesses processes, byte[] pdf, Duration time) {
        try {
            return processes.check(Files.write(folder.resolve("file.pdf"), pdf), 20, time);
        } catch (IOException failed) {
            throw new java.io.UncheckedIOException(failed);
        }
    }

    private void assertFault(PdfFault fault, byte[] pdf) {
        assertThat(check(pdf).fault()).contains(fault);
    }

    @Test
    void aPdfOfAPartyIsTakenAndItsPagesCounted() throws IOException {
        assertThat(check(SamplePdfs.saying("Claim.", "Reasons.", "Relief."))).isEqualTo(new PdfCheck(3, Optional.empty()));
        assertThat(check(SamplePdfs.pages(20))).isEqualTo(new PdfCheck(20, Optional.empty()));
        assertThat(check(SamplePdfs.withEmbedded("accounts.csv", "a;b".getBytes(StandardCharsets.UTF_8))).fault()).isEmpty();
    }

    /** A white page that was scanned packs a thousand times smaller: no bomb. */
    @Test
    void anEmptyPageOfAScannerIsNoBomb() throws IOException {
        try (PDDocument document = new PDDocument(); ByteArrayOutputStream out = new ByteArrayOutputStream()) {
            PDPage page = new PDPage();
            document.addPage(page);
            try (PDPageContentStream content = new PDPageContentStream(document, page)) {
                content.drawImage(LosslessFactory.createFromImage(document,
                        new java.awt.image.BufferedImage(5000, 7000, java.awt.image.BufferedImage.TYPE_INT_RGB)), 0, 0, 600, 800);
            }
            document.save(out);
            assertThat(out.size()).isLessThan(200_000);
            assertThat(check(out.toByteArray())).isEqualTo(new PdfCheck(1, Optional.empty()));
        }
    }

    @Test
    void whatIsEncryptedIsRefusedAlsoWhereAnybodyCanOpenIt() {
        assertFault(PdfFault.ENCRYPTED, SamplePdfs.encrypted("password"));
        assertFault(PdfFault.ENCRYPTED, SamplePdfs.encrypted(""));
    }

    @Test
    void whatIsDamagedIsRefused() {
        assertFault(PdfFault.DAMAGED, SamplePdfs.truncated());
        assertFault(PdfFault.DAMAGED, SamplePdfs.scrambled());
        assertFault(PdfFault.DAMAGED, "%PDF-1.7\nnothing more\n%%EOF".getBytes(StandardCharsets.US_ASCII));
        assertFault(PdfFault.DAMAGED, SamplePdfs.pages(0));
    }

    @Test
    void whatRunsOrStartsSomethingIsRefused() {
        assertFault(PdfFault.JAVASCRIPT, SamplePdfs.withScriptAtOpening());
        assertFault(PdfFault.JAVASCRIPT, SamplePdfs.withScriptOfAnXfaForm());
        assertFault(PdfFault.LAUNCH_ACTION, SamplePdfs.withLaunchAction());
        assertFault(PdfFault.PROGRAM, SamplePdfs.withEmbedded("invoice.exe", new byte[] {1}));
        assertFault(PdfFault.PROGRAM, SamplePdfs.withEmbedded("invoice.txt", new byte[] {0x7f, 'E', 'L', 'F', 2}));
    }

    @Test
    void whatUnpacksToFarMoreThanItIsIsRefused() {
        assertThat(SamplePdfs.bombInABomb().length).isLessThan(10_000);
        assertFault(PdfFault.BOMB, SamplePdfs.bomb());
        assertFault(PdfFault.BOMB, SamplePdfs.bombInABomb());
        assertFault(PdfFault.BOMB, SamplePdfs.hugePicture());
    }

    @Test
    void aLongFileOneThatTakesLongAndOneThatIsTwoThingsIsRefused() {
        assertFault(PdfFault.TOO_MANY_PAGES, SamplePdfs.pages(21));
        assertFault(PdfFault.ARCHIVE_TOO, SamplePdfs.archiveToo());
        assertFault(PdfFault.NOT_A_PDF, SamplePdfs.pageFirst());
        // A process that has yet to start cannot answer within a millisecond.
        try (ReadingProcesses fresh = new ReadingProcesses(VERTX)) {
            assertThat(check(fresh, SamplePdfs.saying("Late."), Duration.ofMillis(1)).fault()).contains(PdfFault.TOO_SLOW);
            assertThat(check(fresh, SamplePdfs.saying("And the next is read."), TIME)).isEqualTo(new PdfCheck(1, Optional.empty()));
        }
    }

    /** The process that read the hostile file is not the one that reads the next. */
    @Test
    void aFileThatTakesAllMemoryTakesNobodyAlong() {
        assertFault(PdfFault.BOMB, SamplePdfs.objectsWithoutEnd());
        assertThat(check(SamplePdfs.saying("The next.")).fault()).isEmpty();
    }
}
