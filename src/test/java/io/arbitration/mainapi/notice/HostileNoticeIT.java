package io.arbitration.mainapi.notice;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.platform.reading.DeflatedRun;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests that nobody means well with: each gets a clear error, serves nobody and leaves nothing. */
class HostileNoticeIT {

    private static final int HALF_A_GIGABYTE = 512 << 20;
    private static final RunningPlatform PLATFORM = RunningPlatform.shared();
    private static final OpenCase OPEN = OpenCase.on(PLATFORM);
    private static final Notices NOTICES = Notices.of(OPEN);

    private static Arguments refused(int status, String text, String mailType, Consumer<JsonObject> change) {
        JsonObject request = NOTICES.request(mailType, Notices.address());
        change.accept(request);
        return Arguments.of(status, text, request);
    }

    private static Arguments image(String text, String fieldId, byte[] bytes) {
        return image(text, fieldId, Notices.base64(bytes));
    }

    private static Arguments image(String text, String fieldId, String base64) {
        return refused(400, "images/" + fieldId + ": " + text, "claimNotice", request -> request.put("images", new JsonObject().put(fieldId, base64)));
    }

    private static Arguments recipient(int status, String text, Object recipient) {
        return refused(status, text, "docketNotice", request -> request.put("recipients", new JsonArray().add(recipient)));
    }

    private static Arguments json(String text, JsonObject json) {
        JsonObject complete = new JsonObject().put("hearingDate", "2027-03-04").put("hearingTime", "10:00").put("timeZone", "UTC");
        return refused(400, "json/" + text, "hearingNotice", request -> request.put("json", complete.mergeIn(json)));
    }

    private static byte[] png(int width, int height) {
        return Notices.encoded(Notices.page(width, height), "png");
    }

    private static byte[] jpeg() {
        return Notices.encoded(Notices.page(400, 120), "jpg");
    }

    /** A PNG whose head says one size and whose data unpacks to gigabytes. */
    private static byte[] bomb(int width, int height) {
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        png.writeBytes(new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'});
        chunk(png, "IHDR", ByteBuffer.allocate(13).putInt(width).putInt(height).put((byte) 16).put((byte) 6).array());
        chunk(png, "IDAT", DeflatedRun.of((byte) 0, HALF_A_GIGABYTE));
        chunk(png, "IEND", new byte[0]);
        return png.toByteArray();
    }

    /** A good PNG with a text beside its pixels that unpacks to half a gigabyte. */
    private static byte[] withTextBomb() {
        byte[] good = png(40, 12);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        text.writeBytes("Comment\0\0".getBytes(StandardCharsets.US_ASCII));
        text.writeBytes(DeflatedRun.of((byte) 'a', HALF_A_GIGABYTE));
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        int afterHead = 8 + 25;
        png.write(good, 0, afterHead);
        chunk(png, "zTXt", text.toByteArray());
        png.write(good, afterHead, good.length - afterHead);
        return png.toByteArray();
    }

    private static void chunk(ByteArrayOutputStream png, String type, byte[] content) {
        CRC32 sum = new CRC32();
        sum.update(type.getBytes(StandardCharsets.US_ASCII));
        sum.update(content);
        png.writeBytes(ByteBuffer.allocate(12 + content.length).putInt(content.length).put(type.getBytes(StandardCharsets.US_ASCII)).put(content)
                .putInt((int) sum.getValue()).array());
    }

    private static byte[] manyScans() {
        byte[] jpeg = jpeg();
        byte[] scans = new byte[2 * 200];
        for (int i = 0; i < scans.length; i += 2) {
            scans[i] = (byte) 0xff;
            scans[i + 1] = (byte) 0xda;
        }
        byte[] all = Arrays.copyOf(jpeg, jpeg.length + scans.length);
        System.arraycopy(scans, 0, all, jpeg.length, scans.length);
        return all;
    }

    private static JsonArray recipients(int count) {
        JsonArray recipients = new JsonArray();
        for (int i = 0; i < count; i++) {
            recipients.add(new JsonObject().put("email", "many-%d@example.org".formatted(i)));
        }
        return recipients;
    }

    static Stream<Arguments> requests() {
        String noImage = "must be a PNG or a JPEG image in Base64";
        return Stream.of(
                image("at most 400 x 120 pixels, it has 401 x 120", "logo", png(401, 120)),
                image("at most 400 x 120 pixels, it has 400 x 121", "logo", png(400, 121)),
                image("at most 400 x 120 pixels, it has 30000 x 30000", "logo", bomb(30_000, 30_000)),
                image("cannot be decoded as PNG", "logo", Arrays.copyOf(png(400, 120), 300)),
                image("cannot be decoded as PNG", "logo", Arrays.copyOf(png(400, 120), 20)),
                image("cannot be decoded as JPEG", "logo", new byte[] {(byte) 0xff, (byte) 0xd8, (byte) 0xff, (byte) 0xe0, 0, 4, 1, 2}),
                image("ends before its last pixel", "logo", Arrays.copyOf(jpeg(), jpeg().length / 2)),
                image("passes over its pixels more than 100 times", "logo", manyScans()),
                image(noImage, "logo", Notices.encoded(new BufferedImage(10, 10, BufferedImage.TYPE_INT_RGB), "gif")),
                image(noImage, "logo", "<svg xmlns='http://www.w3.org/2000/svg'/>".getBytes(StandardCharsets.UTF_8)),
                image(noImage, "logo", "%PDF-1.7 and no picture".getBytes(StandardCharsets.US_ASCII)),
                image(noImage, "logo", "not base64!"),
                image(noImage, "logo", "data:text/html;base64," + Notices.base64(png(40, 12))),
                image("no such field in claimNotice", "banner", png(40, 12)),
                refused(400, "images/logo: must be a string", "claimNotice", request -> request.put("images", new JsonObject().put("logo", 7))),
                refused(400, "images: docketNotice takes json", "docketNotice", request -> request.put("images", new JsonObject().put("logo", Notices.base64(png(40, 12))))),
                refused(400, "json: claimNotice takes images", "claimNotice", request -> request.put("json", new JsonObject())),
                refused(400, "json/hearingDate: is required", "hearingNotice", request -> { }),
                json("hearingDate: must be a date such as 2026-01-31", new JsonObject().put("hearingDate", "2026-02-30")),
                json("hearingTime: must be a time such as 14:30", new JsonObject().put("hearingTime", "25:00")),
                json("timeZone: must be a string", new JsonObject().put("timeZone", new JsonArray())),
                json("message: must not be null", new JsonObject().putNull("message")),
                json("message: at most 5000 characters", new JsonObject().put("message", "x".repeat(1_048_576))),
                json("message: must not contain control characters", new JsonObject().put("message", "a\u0007b")),
                json("judge: no such field in hearingNotice", new JsonObject().put("judge", "Solomon")),
                refused(400, "recipients: at most 100 entries", "docketNotice", request -> request.put("recipients", recipients(1001))),
                refused(400, "recipients: at least 1 entry", "docketNotice", request -> request.put("recipients", new JsonArray())),
                recipient(400, "recipients/0/email: must not contain line breaks or other control characters",
                        new JsonObject().put("email", "a@example.org\r\nBcc: all@example.org")),
                recipient(400, "recipients/0/email: must be an email address alone", new JsonObject().put("email", "Clara <clara@example.org>")),
                recipient(400, "recipients/0/email: must be an email address alone", new JsonObject().put("email", "a@example.org, b@example.org")),
                recipient(400, "recipients/0/email: at most 254 characters", new JsonObject().put("email", "a".repeat(250) + "@example.org")),
                recipient(400, "recipients/0: give either userID or email", new JsonObject()),
                recipient(400, "recipients/0: give either userID or email",
                        new JsonObject().put("email", "a@example.org").put("userID", OPEN.respondent().id())),
                recipient(400, "recipients/0: must be an object", "a@example.org"),
                recipient(404, "recipients/0: no participant of this case", new JsonObject().put("userID", OPEN.outsider().id())),
                recipient(404, "recipients/0: no participant of this case", new JsonObject().put("userID", "' or 1=1 --")),
                refused(404, "mailType not found", "docketNotice", request -> request.put("mailType", "junkMail")),
                refused(404, "docket entry not found", "docketNotice", request -> request.put("entryID", Notices.of(OPEN.another()).entryId())),
                refused(404, "docket entry not found", "docketNotice", request -> request.put("entryID", "99999999999999999999")),
                refused(404, "case not found", "docketNotice", request -> request.put("caseID", UUID.randomUUID().toString())));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void isRefusedAndServesNobody(int status, String text, JsonObject request) {
        Answer answer = NOTICES.send(OPEN.claimant(), request);
        assertThat(answer.sentence()).isEqualTo(text);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(PLATFORM.rows("select 1 from mainapi.notices where case_id = ?::uuid", request.getString("caseID"))).isEmpty();
    }

    @Test
    void aBodyLargerThanAllImagesTogetherIsNotRead() {
        Answer answer = NOTICES.send(OPEN.claimant(), NOTICES.request("claimNotice", Notices.address())
                .put("images", new JsonObject().put("attachment", "A".repeat(NoticeHandlers.BODY_BYTES_MAX))));
        assertThat(answer.status()).isEqualTo(413);
    }

    @Test
    void whatIsPackedBesideThePixelsIsNeverUnpacked() {
        OpenCase other = OPEN.another();
        Notices notices = Notices.of(other);
        JsonObject request = notices.request("claimNotice", Notices.address()).put("images", new JsonObject().put("logo", Notices.base64(withTextBomb())));
        assertThat(notices.served(request)).isNotBlank();
    }

    @Test
    void aClosedCaseServesNoMoreButStillTellsWhatItServed() {
        Notices notices = Notices.of(OPEN.another());
        String noticeId = notices.served(notices.request("docketNotice", Notices.address()));
        notices.open().close();
        Answer answer = notices.send(OPEN.claimant(), notices.request("docketNotice", Notices.address()));
        assertThat(answer.sentence()).isEqualTo("case is closed");
        assertThat(answer.status()).isEqualTo(409);
        assertThat(notices.listed(OPEN.respondent(), noticeId).getJsonArray("recipients")).hasSize(1);
    }

    @Test
    void withoutAMailServerTheEmailIsHeldAndTheRecordSaysSo() {
        Notices notices = Notices.of(OPEN.another());
        String noticeId = notices.served(notices.request("docketNotice", Notices.address()));
        JsonObject delivery = notices.awaitDelivery(noticeId, 0, "reason");
        assertThat(delivery.getString("reason")).isEqualTo("no mail server is configured, the email is held");
        assertThat(delivery.getValue("sentAt")).isNull();
        assertThat(delivery.getValue("deliveredAt")).isNull();
    }
}
