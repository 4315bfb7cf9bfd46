package io.arbitration.mainapi.notice;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.JWKSet;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform;
import io.arbitration.domain.hash.Sha256;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import jakarta.mail.BodyPart;
import jakarta.mail.Message;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.imageio.ImageIO;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Notices that arrive at a mail server, read there by a mail library that is not ours. */
class NoticeIT {

    @TempDir
    private static Path folder;

    private static GreenMail mail;
    private static RunningPlatform platform;
    private static OpenCase open;
    private static Notices notices;

    private final String recipient = Notices.address();

    @BeforeAll
    static void start() {
        mail = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        mail.start();
        platform = RunningPlatform.start(folder, Map.of("ACP_SMTP_URL", "smtp://127.0.0.1:" + mail.getSmtp().getPort()));
        open = OpenCase.on(platform);
        notices = Notices.of(open);
    }

    @AfterAll
    static void stop() {
        platform.close();
        mail.stop();
    }

    private static List<MimeMessage> arrived(String address) {
        return Arrays.stream(mail.getReceivedMessages()).filter(message -> isFor(message, address)).toList();
    }

    private static boolean isFor(MimeMessage message, String address) {
        try {
            return Arrays.stream(message.getRecipients(Message.RecipientType.TO)).anyMatch(to -> ((InternetAddress) to).getAddress().equals(address))
                    && !message.getSubject().contains("You take part");
        } catch (jakarta.mail.MessagingException broken) {
            throw new AssertionError(broken);
        }
    }

    private static MimeMultipart parts(Object content, String subtype) {
        assertThat(content).isInstanceOf(MimeMultipart.class);
        assertThat(((MimeMultipart) content).getContentType()).startsWith("multipart/" + subtype);
        return (MimeMultipart) content;
    }

    private static byte[] bytes(BodyPart part) throws Exception {
        return part.getInputStream().readAllBytes();
    }

    private static String text(byte[] pdf) throws IOException {
        try (PDDocument document = Loader.loadPDF(pdf)) {
            return new PDFTextStripper().getText(document);
        }
    }

    @Test
    void aNoticeArrivesAsALetterWithItsImagesAndTheDocumentItServes() throws Exception {
        BufferedImage page = Notices.page(1200, 1600);
        byte[] capture = Notices.encoded(page, "png");
        JsonObject images = new JsonObject().put("attachment", Notices.base64(capture))
                .put("logo", "data:image/png;base64," + Notices.base64(Notices.encoded(Notices.logo(400, 120), "png")));
        String noticeId = notices.served(notices.request("claimNotice", recipient).put("images", images));
        JsonObject delivery = notices.awaitDelivery(noticeId, 0, "deliveredAt");
        assertThat(delivery.fieldNames()).containsExactly("email", "sentAt", "deliveredAt", "failedAt", "reason", "idempotencyKey");
        assertThat(delivery.getString("sentAt")).isLessThanOrEqualTo(delivery.getString("deliveredAt"));
        assertThat(delivery.getValue("failedAt")).isNull();
        assertThat(delivery.getValue("reason")).isNull();
        assertThat(arrived(recipient)).hasSize(1);
        MimeMessage message = arrived(recipient).getFirst();
        try (var out = Files.newOutputStream(Path.of("target/notice.eml"))) {
            message.writeTo(out);
        }
        assertThat(message.getSubject()).isEqualTo("Notice of claim: Cranes v. Quarry");
        MimeMultipart mixed = parts(message.getContent(), "mixed");
        assertThat(mixed.getCount()).isEqualTo(3);
        MimeMultipart related = parts(mixed.getBodyPart(0).getContent(), "related");
        assertThat(related.getContentType()).contains("type=\"multipart/alternative\"");
        assertThat(related.getCount()).isEqualTo(3);
        MimeMultipart alternative = parts(related.getBodyPart(0).getContent(), "alternative");
        String html = (String) alternative.getBodyPart(1).getContent();
        assertThat(html).contains("cid:logo@" + noticeId, "cid:attachment@" + noticeId, "Letter of 3 May", "Clara Claimant").doesNotContain("data:");
        assertThat(html.indexOf("cid:logo@")).as("the logo stands at the head").isLessThan(html.indexOf("Notice is hereby given"));
        assertThat(related.getBodyPart(1).getHeader("Content-ID")).containsExactly("<attachment@%s>".formatted(noticeId));
        BufferedImage preview = ImageIO.read(new ByteArrayInputStream(bytes(related.getBodyPart(1))));
        assertThat(List.of(preview.getWidth(), preview.getHeight())).isEqualTo(List.of(960, 1280));
        assertThat(related.getBodyPart(2).getContentType()).startsWith("image/png");

        byte[] letter = bytes(mixed.getBodyPart(1));
        byte[] paper = bytes(mixed.getBodyPart(2));
        Files.write(Path.of("target/notice.pdf"), letter);
        assertThat(mixed.getBodyPart(1).getFileName()).isEqualTo("notice.pdf");
        assertThat(mixed.getBodyPart(2).getFileName()).isEqualTo("docket-entry-1.pdf");
        assertThat(html).contains(Sha256.hex(letter), Sha256.hex(paper));
        assertThat(text(letter)).contains("Notice of claim", "Cranes v. Quarry", open.caseId(), noticeId, "Letter of 3 May", "Disputed page",
                Sha256.hex(capture), Sha256.hex(paper));
        assertThat(text(paper)).contains("Letter of 3 May", "We are available in May.");
        assertThatTheLetterShows(letter, page);
        String sender = platform.machine("emails.email.sender");
        JsonObject retrieved = platform.post("/emails/email/retrieve", new JsonObject().put("idempotencyKey", delivery.getString("idempotencyKey")), sender).object();
        assertThat(retrieved.getString("html")).as("to be archived by itself").contains("\"data:image/jpeg;base64,", "\"data:image/png;base64,")
                .doesNotContain("cid:").startsWith(html.substring(0, html.indexOf("cid:")));
    }

    /** Pixel by pixel. */
    private static void assertThatTheLetterShows(byte[] letter, BufferedImage page) throws IOException {
        try (PDDocument document = Loader.loadPDF(letter)) {
            var resources = document.getPage(0).getResources();
            for (var name : resources.getXObjectNames()) {
                if (resources.getXObject(name) instanceof org.apache.pdfbox.pdmodel.graphics.image.PDImageXObject image && image.getWidth() == page.getWidth()) {
                    BufferedImage shown = image.getImage();
                    assertThat(shown.getRGB(0, 0, 1200, 1600, null, 0, 1200)).isEqualTo(page.getRGB(0, 0, 1200, 1600, null, 0, 1200));
                    return;
                }
            }
        }
        throw new AssertionError("the letter does not show the image");
    }

    @Test
    void whatIsGivenAsJsonStandsInTheLetterAndInTheMailInTheOrderOfTheFields() throws Exception {
        JsonObject json = new JsonObject().put("message", "Bring the originals.\nبرجاء الحضور — 请准时到场").put("hearingTime", "10:00")
                .put("hearingDate", "2027-03-04").put("timeZone", "Europe/Paris");
        String noticeId = notices.served(notices.request("hearingNotice", recipient).put("json", json));
        notices.awaitDelivery(noticeId, 0, "deliveredAt");
        MimeMultipart mixed = parts(arrived(recipient).getFirst().getContent(), "mixed");
        MimeMultipart alternative = parts(mixed.getBodyPart(0).getContent(), "alternative");
        for (int form = 0; form < 2; form++) {
            assertThat((String) alternative.getBodyPart(form).getContent())
                    .containsSubsequence("Date of the hearing", "4 March 2027", "Time", "10:00", "Time zone", "Europe/Paris", "Message", "请准时到场");
        }
        byte[] letter = bytes(mixed.getBodyPart(1));
        Files.write(Path.of("target/hearing-notice.pdf"), letter);
        assertThat(text(letter)).containsSubsequence("Date of the hearing", "4 March 2027", "10:00", "Europe/Paris", "Bring the originals.", "请准时到场");
    }

    private static JsonObject hearing() {
        return open.on("/cases/hearings/create", open.manager(), new JsonObject().put("title", "Hearing of the witnesses").put("start", "2027-07-01T08:00:00Z")
                .put("durationMinutes", 90).put("timeZone", "Europe/Stockholm").put("place", "Room 4").put("link", "https://meet.example.org/4")
                .put("agenda", "Witnesses, then 陈述.")).object();
    }

    private JsonObject ofHearing(JsonObject hearing) {
        JsonObject request = notices.request("hearingNotice", recipient).put("hearingID", hearing.getString("hearingID"));
        request.remove("entryID");
        return request;
    }

    @Test
    void aHearingIsServedByItsOwnDatesAndProvedLikeADocument() throws Exception {
        JsonObject hearing = hearing();
        String noticeId = notices.served(ofHearing(hearing).put("json", new JsonObject().put("message", "Bring the originals.")));
        notices.awaitDelivery(noticeId, 0, "deliveredAt");
        MimeMessage message = arrived(recipient).getFirst();
        assertThat(message.getSubject()).isEqualTo("Notice of hearing: Cranes v. Quarry");
        MimeMultipart mixed = parts(message.getContent(), "mixed");
        MimeMultipart alternative = parts(mixed.getBodyPart(0).getContent(), "alternative");
        for (int form = 0; form < 2; form++) {
            assertThat((String) alternative.getBodyPart(form).getContent()).containsSubsequence("Hearing: Hearing of the witnesses", "Thursday, 1 July 2027, 10:00 (Europe/Stockholm)",
                    "90 minutes", "Room 4", "https://meet.example.org/4", "陈述", "Bring the originals.").doesNotContain("Docket entry");
        }
        byte[] letter = bytes(mixed.getBodyPart(1));
        byte[] paper = bytes(mixed.getBodyPart(2));
        Files.write(Path.of("target/notice-of-hearing.pdf"), letter);
        Files.write(Path.of("target/hearing.pdf"), paper);
        assertThat(mixed.getBodyPart(2).getFileName()).isEqualTo("hearing.pdf");
        assertThat(text(paper)).contains("Hearing of the witnesses", "Thursday, 1 July 2027, 10:00 (Europe/Stockholm)", "1 July 2027, 08:00:00 UTC", "陈述", open.caseId(),
                hearing.getString("hearingID"), "revision 1");
        assertThat(text(letter)).contains("Notice of hearing", "Thursday, 1 July 2027, 10:00 (Europe/Stockholm)", "Bring the originals.", "hearing.pdf", Sha256.hex(paper));

        JsonObject listed = notices.listed(open.respondent(), noticeId);
        assertThat(listed.getString("entryID")).isNull();
        assertThat(listed.getString("hearingID")).isEqualTo(hearing.getString("hearingID"));
        RunningPlatform.Answer proof = open.on("/api/service-of-notice/proof", open.claimant(), new JsonObject().put("noticeID", noticeId));
        assertThat(proof.status()).as(proof.body()).isEqualTo(200);
        assertThat(text(proof.response().body())).contains("Thursday, 1 July 2027, 10:00 (Europe/Stockholm)", hearing.getString("hearingID"), Sha256.hex(paper));
        assertThat(open.on("/cases/cases/audit/list", open.manager(), new JsonObject()).body()).contains("notice.served", noticeId);
    }

    @Test
    void aHearingThatCannotBeServedIsRefusedByName() {
        JsonObject hearing = hearing();
        refused(ofHearing(hearing).put("hearingID", UUID.randomUUID().toString()), 404, "hearing not found");
        refused(ofHearing(hearing).put("hearingID", "none"), 404, "hearing not found");
        refused(ofHearing(hearing).put("caseID", open.another().caseId()), 404, "hearing not found");
        refused(ofHearing(hearing).put("entryID", notices.entryId()), 400, "hearingID: give either entryID or hearingID");
        refused(ofHearing(hearing).putNull("hearingID"), 400, "entryID: is required");
        refused(ofHearing(hearing).put("mailType", "docketNotice"), 400, "mailType: a hearing is served by hearingNotice");
        refused(ofHearing(hearing).put("json", new JsonObject().put("hearingDate", "2027-07-02")), 400, "json/hearingDate: comes from the hearing");
        refused(ofHearing(hearing).put("json", new JsonObject().put("judge", "Solomon")), 400, "json/judge: no such field in hearingNotice");
        open.on("/cases/hearings/cancel", open.manager(), new JsonObject().put("hearingID", hearing.getString("hearingID")).put("reason", "Settled."));
        refused(ofHearing(hearing), 409, "hearing is cancelled");
    }

    private static void refused(JsonObject request, int status, String sentence) {
        RunningPlatform.Answer answer = notices.send(open.claimant(), request);
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.sentence()).isEqualTo(sentence);
    }

    @Test
    void whatTheSenderWroteIsTextAndNothingElse() throws Exception {
        String noticeId = notices.served(notices.request("docketNotice", recipient)
                .put("json", new JsonObject().put("message", "<img src=x onerror=alert(1)>{{ caseID }} & \"cid:logo@x\"")));
        notices.awaitDelivery(noticeId, 0, "deliveredAt");
        MimeMultipart alternative = parts(parts(arrived(recipient).getFirst().getContent(), "mixed").getBodyPart(0).getContent(), "alternative");
        assertThat((String) alternative.getBodyPart(0).getContent()).contains("<img src=x onerror=alert(1)>{{ caseID }} & \"cid:logo@x\"");
        assertThat((String) alternative.getBodyPart(1).getContent()).contains("&lt;img src=x onerror=alert(1)&gt;{{ caseID }} &amp; &quot;cid:logo@x&quot;")
                .doesNotContain("<img");
    }

    @Test
    void requestsAreForgottenWhenTheirKeysAreNotKeptAnyMore() {
        String key = UUID.randomUUID().toString();
        JsonObject request = notices.request("docketNotice", recipient);
        String first = notices.send(open.claimant(), request, "Idempotency-Key", key).object().getString("noticeID");
        NoticeRepository repository = new NoticeRepository(platform.database());
        repository.deleteExpired(java.time.Instant.now()).toCompletionStage().toCompletableFuture().join();
        assertThat(platform.rows("select notice_id from mainapi.notice_requests where request_key = ?", key)).containsExactly(List.of(first));
        repository.deleteExpired(java.time.Instant.now().plusSeconds(90_000)).toCompletionStage().toCompletableFuture().join();
        assertThat(platform.rows("select notice_id from mainapi.notice_requests where request_key = ?", key)).isEmpty();
    }

    @Test
    void eachRecipientIsServedOnceHoweverOftenItIsNamed() throws Exception {
        JsonObject request = notices.request("docketNotice", recipient, recipient.toUpperCase(), open.respondent().email());
        request.getJsonArray("recipients").add(new JsonObject().put("userID", open.respondent().id()))
                .add(new JsonObject().put("userID", open.observer().id()))
                .add(new JsonObject().put("userID", open.observer().id().toUpperCase()));
        String noticeId = notices.served(request);
        JsonArray recipients = notices.listed(open.manager(), noticeId).getJsonArray("recipients");
        assertThat(recipients.stream().map(one -> ((JsonObject) one).getString("email")).toList())
                .containsExactly(recipient, open.respondent().email(), open.observer().email());
        for (int place = 0; place < 3; place++) {
            notices.awaitDelivery(noticeId, place, "deliveredAt");
        }
        assertThat(arrived(recipient)).hasSize(1);
        assertThat(recipients.stream().map(one -> ((JsonObject) one).getString("idempotencyKey")).distinct().toList()).hasSize(3)
                .allSatisfy(key -> assertThat(key).startsWith("notice-" + noticeId + "-"));
    }

    @Test
    void aRequestThatIsRepeatedAfterItsAnswerWasLostServesNothingTwice() {
        JsonObject request = notices.request("docketNotice", recipient);
        String key = UUID.randomUUID().toString();
        Answer first = notices.send(open.claimant(), request, "Idempotency-Key", key);
        String noticeId = first.object().getString("noticeID");
        // As after a crash between the commit and keeping the answer, two minutes later: nothing is known of the key.
        try (var sql = platform.sql(); var forget = sql.prepareStatement("delete from platform.idempotency where key = ?")) {
            forget.setString(1, key);
            assertThat(forget.executeUpdate()).isEqualTo(1);
        } catch (java.sql.SQLException failed) {
            throw new AssertionError(failed);
        }
        assertThat(notices.send(open.claimant(), request, "Idempotency-Key", key).object().getString("noticeID")).isEqualTo(noticeId);
        assertThat(platform.rows("select 1 from mainapi.notice_recipients where email = ?", recipient)).hasSize(1);
        notices.awaitDelivery(noticeId, 0, "deliveredAt");
        assertThat(arrived(recipient)).hasSize(1);
        assertThat(notices.send(open.claimant(), request, "Idempotency-Key", UUID.randomUUID().toString()).object().getString("noticeID"))
                .as("another key is another notice").isNotEqualTo(noticeId);
    }

    @Test
    void servingIsOnTheRecordOfTheCaseWithWhoAndFromWhere() {
        String noticeId = notices.served(notices.request("docketNotice", recipient));
        JsonObject line = open.on("/cases/cases/audit/list", open.manager(), new JsonObject()).object().getJsonArray("entries").stream()
                .map(JsonObject.class::cast).filter(entry -> noticeId.equals(entry.getString("subject"))).findFirst().orElseThrow();
        assertThat(line.getString("action")).isEqualTo("notice.served");
        assertThat(line.getString("userID")).isEqualTo(open.claimant().id());
        assertThat(line.getString("address")).isNotBlank();
    }

    private static Answer proof(RunningPlatform.Person by, String noticeId) {
        return open.on("/api/service-of-notice/proof", by, new JsonObject().put("noticeID", noticeId));
    }

    private static byte[] proved(RunningPlatform.Person by, String noticeId) {
        Answer answer = proof(by, noticeId);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).isEqualTo("application/pdf");
        return answer.response().body();
    }

    @Test
    void theProofHoldsTheNoticeItsImagesTheEmailTheTrailAndEveryFileByteForByte() throws Exception {
        byte[] capture = Notices.encoded(Notices.page(800, 600), "jpg");
        byte[] mark = Notices.encoded(Notices.logo(800, 600), "png");
        String noticeId = notices.served(notices.request("trademarkNotice", recipient, open.respondent().email())
                .put("images", new JsonObject().put("attachment", Notices.base64(capture)).put("protectedMark", Notices.base64(mark))));
        notices.awaitDelivery(noticeId, 0, "deliveredAt");
        JsonObject delivery = notices.awaitDelivery(noticeId, 1, "deliveredAt");
        byte[] proof = proved(open.manager(), noticeId);
        Files.write(Path.of("target/proof-of-service.pdf"), proof);
        MimeMessage message = arrived(recipient).getFirst();
        MimeMultipart mixed = parts(message.getContent(), "mixed");
        String html = (String) parts(parts(mixed.getBodyPart(0).getContent(), "related").getBodyPart(0).getContent(), "alternative").getBodyPart(1).getContent();
        try (PDDocument document = Loader.loadPDF(proof)) {
            String text = new PDFTextStripper().getText(document);
            assertThat(text).contains("Proof of service", noticeId, open.caseId(), recipient, open.respondent().email(), delivery.getString("idempotencyKey"),
                    message.getMessageID(), "taken by the mail server (250)", Sha256.hex(capture), Sha256.hex(mark),
                    Sha256.hex(html.getBytes(java.nio.charset.StandardCharsets.UTF_8)), "Infringing page", "Protected mark", "We are available in May.");
            assertThat(text.split("Notice is hereby given", -1)).as("in the letter and in the email").hasSize(3);
            Map<String, byte[]> attached = new java.util.HashMap<>();
            for (var file : document.getDocumentCatalog().getNames().getEmbeddedFiles().getNames().entrySet()) {
                attached.put(file.getKey(), file.getValue().getEmbeddedFile().toByteArray());
            }
            assertThat(attached).containsOnlyKeys("notice.pdf", "docket-entry-1.pdf", "attachment.jpg", "attachment-preview.jpg", "protectedMark.png",
                    "protectedMark-preview.png", "email.html", "statement.jws");
            assertThatThePlatformSigned(new String(attached.get("statement.jws"), java.nio.charset.StandardCharsets.US_ASCII), attached, noticeId);
            assertThat(attached.get("attachment.jpg")).isEqualTo(capture);
            assertThat(attached.get("notice.pdf")).isEqualTo(bytes(mixed.getBodyPart(1)));
            assertThat(attached.get("email.html")).isEqualTo(html.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        assertThat(proved(open.respondent(), noticeId)).as("kept, and given again").isEqualTo(proof);
        Answer part = platform.post("/api/service-of-notice/proof", new JsonObject().put("caseID", open.caseId()).put("noticeID", noticeId),
                open.claimant().token(), "Range", "bytes=1000-1999");
        assertThat(part.status()).isEqualTo(206);
        assertThat(part.response().body()).isEqualTo(Arrays.copyOfRange(proof, 1000, 2000));
        assertThat(part.header("ETag")).isEqualTo("\"" + Sha256.hex(proof) + "\"");
        assertThat(platform.rows("select 1 from mainapi.notice_proofs where notice_id = ?::uuid", noticeId)).hasSize(1);
        assertThatQpdfIsContent();
    }

    private static void assertThatThePlatformSigned(String compact, Map<String, byte[]> attached, String noticeId) throws Exception {
        JWSObject statement = JWSObject.parse(compact);
        assertThat(statement.getHeader().getType()).hasToString("service-of-notice+jws");
        JWKSet keys = JWKSet.parse(platform.get("/auth/.well-known/jwks.json").body());
        assertThat(statement.verify(new ECDSAVerifier(keys.getKeyByKeyId(statement.getHeader().getKeyID()).toECKey()))).isTrue();
        JsonObject said = new JsonObject(statement.getPayload().toString());
        assertThat(said.getString("noticeID")).isEqualTo(noticeId);
        assertThat(said.getJsonArray("files")).hasSize(attached.size() - 1).allSatisfy(file -> assertThat(((JsonObject) file).getString("sha256"))
                .isEqualTo(Sha256.hex(attached.get(((JsonObject) file).getString("name")))));
        assertThat(said.getJsonArray("recipients")).hasSize(2).allSatisfy(one -> {
            assertThat(((JsonObject) one).getString("state")).isEqualTo("sent");
            assertThat(((JsonObject) one).getJsonArray("attempts").getJsonObject(0).getInteger("code")).isEqualTo(250);
        });
    }

    @Test
    void overHttpNobodyAttachesWhatIsInTheObjectStore() {
        String noticeId = notices.served(notices.request("docketNotice", recipient));
        String sender = platform.machine("emails.email.sender");
        String address = platform.rows("select address from mainapi.notice_files where notice_id = ?::uuid", noticeId).getFirst().getFirst();
        String key = UUID.randomUUID().toString();
        Answer answer = platform.post("/emails/email/send", new JsonObject().put("idempotencyKey", key)
                .put("to", new JsonArray().add(recipient)).put("subject", "Mine").put("html", "<p>Give me.</p>").put("attachments", new JsonArray()
                        .add(new JsonObject().put("address", address).put("fileName", "a.pdf").put("contentType", "application/pdf"))), sender);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(platform.rows("select 1 from emails.attachments a join emails.emails e using (email_id) where e.idempotency_key = ?", key)).isEmpty();
    }

    private static void assertThatQpdfIsContent() throws Exception {
        Process qpdf = new ProcessBuilder("sh", "-c", "command -v qpdf > /dev/null || exit 77; qpdf --check target/proof-of-service.pdf")
                .redirectErrorStream(true).start();
        String said = new String(qpdf.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        int code = qpdf.waitFor();
        if (code == 77) {
            System.out.println("qpdf is not here: the proof was not checked by it");
        } else {
            assertThat(said).contains("No syntax or stream encoding errors found");
            assertThat(code).as(said).isZero();
        }
    }

    @Test
    void aProofIsMadeAnewWhenMoreHasHappenedAndTheEarlierOneStays() {
        String noticeId = notices.served(notices.request("docketNotice", recipient));
        notices.awaitDelivery(noticeId, 0, "deliveredAt");
        byte[] first = proved(open.claimant(), noticeId);
        platform.rows("""
                insert into emails.attempts (delivery_id, at, code, error, duration_millis)
                select d.delivery_id, now(), 451, 'as if it had been tried again', 7 from emails.deliveries d where d.recipient = ? returning 1
                """, recipient);
        assertThat(proved(open.claimant(), noticeId)).isNotEqualTo(first);
        assertThat(platform.rows("select 1 from mainapi.notice_proofs where notice_id = ?::uuid", noticeId)).hasSize(2);
    }

    @Test
    void anAlteredFileOfANoticeIsNeverProved() throws IOException {
        String noticeId = notices.served(notices.request("docketNotice", recipient));
        notices.awaitDelivery(noticeId, 0, "deliveredAt");
        String address = platform.rows("select address from mainapi.notice_files where notice_id = ?::uuid and kind = 'letter'", noticeId).getFirst().getFirst();
        Path file = platform.objectFile(address);
        byte[] letter = Files.readAllBytes(file);
        letter[letter.length / 2] ^= 1;
        Files.write(file, letter);
        Answer answer = proof(open.claimant(), noticeId);
        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.sentence()).isEqualTo("A stored file of the notice is missing or altered.");
    }

    @Test
    void aNoticeOfAnotherCaseIsNotFound() {
        String noticeId = notices.served(notices.request("docketNotice", recipient));
        Answer answer = platform.post("/api/service-of-notice/proof",
                new JsonObject().put("caseID", open.another().caseId()).put("noticeID", noticeId), open.claimant().token());
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.sentence()).isEqualTo("notice not found");
        assertThat(proof(open.claimant(), "nothing").sentence()).isEqualTo("notice not found");
    }
}
