package io.arbitration.mainapi.filings;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.mainapi.evidence.SampleFiles;
import io.arbitration.platform.reading.SamplePdfs;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Files that nobody should file, and parties that do two things at once: a clear sentence, and nothing is half there. */
class HostileFilesIT {

    private final RunningPlatform platform = RunningPlatform.shared();
    private final OpenCase open = OpenCase.on(platform);
    private final Filed filed = new Filed(open);
    private final String filing = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);

    /** No object without a row, the originals of redacted files included, no row without an object, nothing pending. */
    @AfterEach
    void nothingIsLeftOver() {
        Await.until("nothing is pending", () -> platform.rows("select 1 from platform.pending_objects where touched > 'epoch'").isEmpty());
        platform.sweepObjects();
        assertThat(platform.rows("select address from mainapi.files where case_id = ?::uuid", open.caseId()))
                .allSatisfy(row -> assertThat(platform.objectFile(row.getFirst())).exists());
        List<String> known = platform.rows("""
                select address from mainapi.files union all select original_address from mainapi.files where original_address is not null
                """).stream().map(List::getFirst).toList();
        assertThat(platform.objects()).filteredOn(path -> path.toString().contains("/filings/"))
                .allSatisfy(path -> assertThat(known).anyMatch(address -> path.toString().endsWith(address.substring("file://".length()))));
    }

    private void isRefused(Answer answer, int status, String sentence) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.sentence()).isEqualTo(sentence);
        assertThat(filed.list(open.claimant(), filing)).isEmpty();
    }

    private Answer upload(byte[] pdf) {
        return filed.upload(open.claimant(), filing, "claim.pdf", pdf);
    }

    @Test
    void aPdfThatNobodyShouldFileIsRefusedInWordsThatAPartyUnderstands() {
        String encrypted = "file: is encrypted; file it without a password and without restrictions";
        isRefused(upload(SamplePdfs.encrypted("secret")), 422, encrypted);
        isRefused(upload(SamplePdfs.encrypted("")), 422, encrypted);
        isRefused(upload(SamplePdfs.truncated()), 422, "file: is damaged or incomplete");
        isRefused(upload(SamplePdfs.scrambled()), 422, "file: is damaged or incomplete");
        isRefused(upload(SamplePdfs.withScriptAtOpening()), 422, "file: contains JavaScript");
        isRefused(upload(SamplePdfs.withScriptOfAnXfaForm()), 422, "file: contains JavaScript");
        isRefused(upload(SamplePdfs.withLaunchAction()), 422, "file: contains an action that starts a program or opens a file of its reader");
        isRefused(upload(SamplePdfs.withEmbedded("run.exe", new byte[] {1, 2})), 422, "file: contains a program as an attachment");
        isRefused(upload(SamplePdfs.bomb()), 422, "file: unpacks to much more than its size explains");
        isRefused(upload(SamplePdfs.bombInABomb()), 422, "file: unpacks to much more than its size explains");
        isRefused(upload(SamplePdfs.objectsWithoutEnd()), 422, "file: unpacks to much more than its size explains");
        isRefused(upload(SamplePdfs.pages(10_000)), 422, "file: has more than 5000 pages");
        isRefused(upload(SamplePdfs.archiveToo()), 422, "file: is a PDF and an archive at once");
    }

    @Test
    void aFileThatIsNotWhatItSaysIsRefused() throws IOException {
        isRefused(upload(SampleFiles.named("png")), 422, "file: is declared as application/pdf, but its content is image/png");
        isRefused(upload(SampleFiles.named("text")), 422, "file: is declared as application/pdf, but its content is text/plain");
        isRefused(upload(SampleFiles.named("docx")), 422, "file: is declared as application/pdf, but its content is a text document (OOXML)");
        isRefused(upload(SampleFiles.named("doc")), 422, "file: is declared as application/pdf, but its content is an office document");
        isRefused(filed.post(open.claimant(), filed.form(filing).file("a.pdf", "a/b/c", SamplePdfs.saying("A claim."))), 415,
                "A file of this document cannot be of an unknown type, only application/pdf.");
        isRefused(upload(SampleFiles.named("elf")), 422, "file: is a program (ELF)");
        isRefused(filed.upload(open.claimant(), filing, "claim.exe", SamplePdfs.saying("A claim.")), 422, "file: is a program (its name ends in .exe)");
        isRefused(upload(new byte[0]), 400, "file: must not be empty");
        isRefused(filed.post(open.claimant(), filed.form(filing).file("a.txt", "text/plain", "A claim.")), 415,
                "A file of this document cannot be text/plain, only application/pdf.");
        assertThat(upload(SamplePdfs.pageFirst()).status()).as("a page of HTML with a PDF behind it").isEqualTo(422);
        assertThat(filed.list(open.claimant(), filing)).isEmpty();
    }

    @Test
    void aNameOfAnyKindIsMadeHarmless() {
        Map<String, String> names = new LinkedHashMap<>();
        names.put("../../../etc/passwd.pdf", "passwd.pdf");
        names.put("..", "file");
        names.put("claim\u202Efdp.exe.pdf", "claim fdp.exe.pdf");
        names.put("עתירה \u200F2026.pdf", "עתירה 2026.pdf");
        names.put("n".repeat(300) + ".pdf", "n".repeat(196) + ".pdf");
        names.put("判".repeat(100) + ".pdf", "判".repeat(100) + ".pdf");
        names.forEach((given, kept) -> {
            JsonObject file = filed.taken(open.claimant(), filing, given, SamplePdfs.saying("A claim."));
            assertThat(file.getString("fileName")).isEqualTo(kept);
            assertThat(file.getString("title")).isEqualTo(kept);
        });
        Form long_ = filed.form(filing).field("title", "t".repeat(201)).file("a.pdf", Filed.PDF, SamplePdfs.saying("A."));
        assertThat(filed.post(open.claimant(), long_).sentence()).isEqualTo("title: at most 200 characters");
    }

    @Test
    void anUploadThatStopsInTheMiddleLeavesNothing() throws Exception {
        URI uri = URI.create(platform.url());
        byte[] body = filed.form(filing).file("claim.pdf", Filed.PDF, new byte[4_000_000]).bytes();
        System.arraycopy("%PDF-1.7\n".getBytes(StandardCharsets.US_ASCII), 0, body, new String(body, StandardCharsets.ISO_8859_1).indexOf("\0"), 9);
        try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write(("POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
                    .formatted(Filed.UPLOAD, open.claimant().token(), Form.CONTENT_TYPE, body.length)).getBytes(StandardCharsets.US_ASCII));
            out.write(body, 0, 2_000_000);
            out.flush();
            Await.until("the file is being written", () -> !platform.rows("select 1 from platform.pending_objects where touched > 'epoch'").isEmpty());
        }
        Await.until("nothing is left of it", () -> platform.rows("select 1 from platform.pending_objects where touched > 'epoch'").isEmpty());
        assertThat(filed.list(open.claimant(), filing)).isEmpty();
    }

    private static <T> CompletableFuture<T> beside(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, Thread::startVirtualThread);
    }

    @Test
    void twoUploadsAtOnceAreBothThereEachInItsPlace() {
        List<CompletableFuture<Answer>> both = IntStream.range(0, 2).mapToObj(i ->
                beside(() -> filed.upload(i == 0 ? open.claimant() : open.colleague(), filing, i + ".pdf", SamplePdfs.saying("File " + i)))).toList();
        both.forEach(one -> assertThat(one.join().status()).isEqualTo(200));
        assertThat(filed.list(open.claimant(), filing)).hasSize(2);
        assertThat(open.view(open.claimant(), filing).getInteger("revision")).isEqualTo(3);
    }

    /** Whichever comes first: what is docketed is what the chain proves, and a file that came too late is refused. */
    @Test
    void anUploadBesideASubmissionIsPartOfItOrRefused() {
        for (int round = 0; round < 8; round++) {
            String raced = open.draft(open.claimant(), OpenCase.UNAPPROVED_DOCUMENT);
            CompletableFuture<Answer> uploading = beside(() -> filed.upload(open.colleague(), raced, "late.pdf", SamplePdfs.saying("Late?")));
            CompletableFuture<Answer> submitting = beside(() -> open.document("submit", open.claimant(), raced));
            assertThat(submitting.join().status()).isEqualTo(200);
            Answer uploaded = uploading.join();
            int files = filed.list(open.claimant(), raced).size();
            if (uploaded.status() == 200) {
                assertThat(files).isEqualTo(1);
            } else {
                assertThat(uploaded.sentence()).isEqualTo("document cannot be changed because it's already been added to the docket");
                assertThat(files).isZero();
            }
            String entry = open.view(open.claimant(), raced).getString("entryID");
            assertThat(platform.rows("select cardinality(file_hashes) from mainapi.entries where entry_id = ?::bigint", entry)).containsExactly(List.of(String.valueOf(files)));
        }
        assertThat(open.on("/api/docket/verify", open.claimant(), new JsonObject()).object().getBoolean("valid")).isTrue();
    }

    /** The same beside a submission that waits for an approval, and what is approved then has the files that it was submitted with. */
    @Test
    void anUploadBesideASubmissionForApprovalIsPartOfItOrRefused() {
        for (int round = 0; round < 6; round++) {
            String raced = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
            CompletableFuture<Answer> uploading = beside(() -> filed.upload(open.colleague(), raced, "late.pdf", SamplePdfs.saying("Late?")));
            CompletableFuture<Answer> submitting = beside(() -> open.document("submit", open.claimant(), raced));
            assertThat(submitting.join().status()).isEqualTo(200);
            Answer uploaded = uploading.join();
            assertThat(filed.list(open.claimant(), raced)).hasSize(uploaded.status() == 200 ? 1 : 0);
            if (uploaded.status() != 200) {
                assertThat(uploaded.status()).isEqualTo(409);
                assertThat(uploaded.sentence()).isEqualTo("document is already submitted for approval");
            }
            assertThat(open.document("approve", open.manager(), raced).status()).isEqualTo(200);
            assertThat(filed.list(open.respondent(), raced)).isEqualTo(filed.list(open.claimant(), raced));
        }
    }

    @Test
    void anUploadBesideTheEndOfTheCaseIsTakenBeforeItOrRefused() {
        for (int round = 0; round < 4; round++) {
            OpenCase ending = open.another();
            Filed last = new Filed(ending);
            String raced = ending.draft(ending.claimant(), OpenCase.APPROVED_DOCUMENT);
            CompletableFuture<Answer> uploading = beside(() -> last.upload(ending.claimant(), raced, "claim.pdf", SamplePdfs.saying("A claim.")));
            CompletableFuture<Answer> closing = beside(() -> ending.on("/cases/cases/close", ending.manager(), new JsonObject().put("reason", "Settled.")));
            assertThat(closing.join().status()).isEqualTo(200);
            Answer uploaded = uploading.join();
            if (uploaded.status() != 200) {
                assertThat(uploaded.status()).isEqualTo(409);
                assertThat(uploaded.sentence()).isEqualTo("case is closed");
            }
            assertThat(last.list(ending.claimant(), raced)).hasSize(uploaded.status() == 200 ? 1 : 0);
            assertThat(last.upload(ending.claimant(), raced, "late.pdf", SamplePdfs.saying("Late.")).sentence()).isEqualTo("case is closed");
        }
    }

    /** A file of which the first bytes came while the filing could still be changed, and the last when it could not. */
    @Test
    void aFileThatEndsAfterItsFilingWasSubmittedOrItsCaseClosedIsRefusedAndLeavesNothing() throws Exception {
        OpenCase ending = open.another();
        String closed = ending.draft(ending.claimant(), OpenCase.APPROVED_DOCUMENT);
        try (SlowUpload first = new SlowUpload(filed, filing); SlowUpload second = new SlowUpload(new Filed(ending), closed)) {
            Await.until("both are being written", () -> platform.rows("select 1 from platform.pending_objects where touched > 'epoch'").size() == 2);
            assertThat(open.document("submit", open.claimant(), filing).status()).isEqualTo(200);
            ending.close();
            assertThat(first.end()).contains("HTTP/1.1 409", "document is already submitted for approval");
            assertThat(second.end()).contains("HTTP/1.1 409", "case is closed");
        }
        assertThat(filed.list(open.claimant(), filing)).isEmpty();
        assertThat(new Filed(ending).list(ending.claimant(), closed)).isEmpty();
    }

    /** An upload that stands still in the middle of its file until it is told to end. */
    private static final class SlowUpload implements AutoCloseable {

        private final Socket socket;
        private final byte[] body;

        SlowUpload(Filed filed, String filing) throws IOException {
            URI uri = URI.create(filed.open().platform().url());
            body = filed.form(filing).file("claim.pdf", Filed.PDF, SamplePdfs.withEmbedded("noise.bin", noise())).bytes();
            socket = new Socket(uri.getHost(), uri.getPort());
            socket.getOutputStream().write(("POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
                    .formatted(Filed.UPLOAD, filed.open().claimant().token(), Form.CONTENT_TYPE, body.length)).getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(body, 0, body.length / 2);
            socket.getOutputStream().flush();
        }

        /** Bytes that do not pack. */
        private static byte[] noise() {
            byte[] bytes = new byte[1_500_000];
            new Random(1).nextBytes(bytes);
            return bytes;
        }

        /** The whole answer. */
        String end() throws IOException {
            socket.getOutputStream().write(body, body.length / 2, body.length - body.length / 2);
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Test
    void aRemovalBesideAnApprovalNeverTakesAFileFromTheDocket() {
        for (int round = 0; round < 8; round++) {
            String raced = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
            String file = filed.taken(open.claimant(), raced, "a.pdf", SamplePdfs.saying("Here.")).getString("fileID");
            assertThat(open.document("submit", open.claimant(), raced).status()).isEqualTo(200);
            CompletableFuture<Answer> removing = beside(() -> filed.on("remove", open.claimant(), raced, Filed.file(file)));
            CompletableFuture<Answer> approving = beside(() -> open.document("approve", open.manager(), raced));
            assertThat(approving.join().status()).isEqualTo(200);
            assertThat(removing.join().status()).isEqualTo(409);
            assertThat(filed.list(open.respondent(), raced)).hasSize(1);
        }
    }
}
