package io.arbitration.mainapi.notice;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import javax.imageio.ImageIO;

/** What the tests of service of notice share: notices of a case, and images for them. */
record Notices(OpenCase open, String entryId) {

    private static final Duration WAIT = Duration.ofSeconds(120);

    static Notices of(OpenCase open) {
        return new Notices(open, open.docketed(new JsonObject().put("title", "Letter of 3 May")));
    }

    static String address() {
        return "served-" + UUID.randomUUID() + "@example.org";
    }

    /** A request that is good in all but what a test changes. */
    JsonObject request(String mailType, String... emails) {
        JsonArray recipients = new JsonArray();
        for (String email : emails) {
            recipients.add(new JsonObject().put("email", email));
        }
        return new JsonObject().put("caseID", open.caseId()).put("entryID", entryId).put("mailType", mailType).put("recipients", recipients);
    }

    Answer send(Person by, JsonObject request, String... headers) {
        return open.platform().post("/api/service-of-notice/send", request, by.token(), headers);
    }

    /** The id of a notice that must be served. */
    String served(JsonObject request) {
        Answer answer = send(open.claimant(), request);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.object().getString("noticeID");
    }

    JsonObject listed(Person by, String noticeId) {
        return open.on("/api/service-of-notice/list", by, new JsonObject()).object().getJsonArray("notices").stream().map(JsonObject.class::cast)
                .filter(notice -> notice.getString("noticeID").equals(noticeId)).findFirst().orElseThrow();
    }

    /** The delivery record of the recipient at that place. */
    JsonObject delivery(String noticeId, int place) {
        return listed(open.claimant(), noticeId).getJsonArray("recipients").getJsonObject(place);
    }

    JsonObject awaitDelivery(String noticeId, int place, String member) {
        Await.until("%s of recipient %d".formatted(member, place), () -> delivery(noticeId, place).getValue(member) != null);
        return delivery(noticeId, place);
    }

    /** A picture of a page, more or less. */
    static BufferedImage page(int width, int height) {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D drawing = image.createGraphics();
        drawing.setColor(Color.WHITE);
        drawing.fillRect(0, 0, width, height);
        drawing.setColor(new Color(0x2f5d8a));
        drawing.fillRect(0, 0, width, Math.max(1, height / 10));
        drawing.setColor(Color.DARK_GRAY);
        List<String> words = List.of("cranes", "for", "sale", "delivered", "within", "three", "weeks", "of", "order");
        for (int line = 0; line < height / 30 - 4; line++) {
            drawing.drawString(String.join(" ", words.subList(line % 5, words.size())), width / 12, height / 6 + 30 * line);
        }
        drawing.dispose();
        return image;
    }

    /** A logo that lets what is behind it through. */
    static BufferedImage logo(int width, int height) {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB);
        Graphics2D drawing = image.createGraphics();
        drawing.setColor(new Color(0xb0, 0x30, 0x30, 0xd0));
        drawing.fillOval(0, 0, height, height);
        drawing.setColor(Color.BLACK);
        drawing.drawString("Cranes Ltd", height + 10, height / 2);
        drawing.dispose();
        return image;
    }

    static byte[] encoded(BufferedImage image, String format) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            assertThat(ImageIO.write(image, format, bytes)).isTrue();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return bytes.toByteArray();
    }

    static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
