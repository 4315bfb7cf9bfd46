package io.arbitration.mainapi.notice;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.domain.cases.UserField;
import io.arbitration.platform.answer.Refusal;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

class NoticeImageTest {

    private static final int MUTATIONS = 900;

    private final UserField field = new UserField("logo", "Logo", "A logo.", 120, 90);
    private final Random random = new Random(20261121);

    /** Bytes changed, cut out, doubled and cut off at random places of good images, none of which may do more than be refused. */
    @Test
    void whateverHappensToAnImageItIsDecodedWithinItsFieldOrRefusedByName() {
        List<byte[]> good = List.of(Notices.encoded(Notices.page(120, 90), "png"), Notices.encoded(Notices.logo(120, 90), "png"),
                Notices.encoded(Notices.page(120, 90), "jpg"));
        int refused = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] bytes = mutated(good.get(i % good.size()));
            try {
                NoticeImage image = NoticeImage.decoded(field, bytes);
                assertThat(image.width()).isBetween(1, 120);
                assertThat(image.height()).isBetween(1, 90);
                assertThat(image.preview().bytes()).isNotEmpty();
            } catch (Refusal refusal) {
                assertThat(refusal.status()).isEqualTo(400);
                assertThat(refusal.getMessage()).startsWith("images/logo: ");
                refused++;
            }
        }
        assertThat(refused).as("refused of %d", MUTATIONS).isBetween(MUTATIONS / 10, MUTATIONS - 1);
    }

    private byte[] mutated(byte[] good) {
        byte[] bytes = good.clone();
        int at = random.nextInt(bytes.length);
        return switch (random.nextInt(4)) {
            case 0 -> java.util.Arrays.copyOf(bytes, at);
            case 1 -> {
                for (int changes = random.nextInt(8); changes >= 0; changes--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
                }
                yield bytes;
            }
            case 2 -> {
                byte[] longer = java.util.Arrays.copyOf(bytes, bytes.length + bytes.length - at);
                System.arraycopy(bytes, at, longer, bytes.length, bytes.length - at);
                yield longer;
            }
            default -> {
                // Among the lengths, sizes and tables at the start a change does most.
                bytes[random.nextInt(64)] = (byte) random.nextInt(256);
                yield bytes;
            }
        };
    }

    @Test
    void aPreviewShowsTheWholeImageSmallerAndLetsThroughWhatItLetThrough() throws IOException {
        UserField large = new UserField("attachment", "Page", "A page.", 1200, 1600);
        NoticeImage page = NoticeImage.decoded(large, Notices.encoded(Notices.page(1200, 1600), "png"));
        assertThat(List.of(page.preview().width(), page.preview().height())).isEqualTo(List.of(960, 1280));
        NoticeImage logo = NoticeImage.decoded(field, Notices.encoded(Notices.logo(120, 90), "png"));
        BufferedImage preview = ImageIO.read(new ByteArrayInputStream(logo.preview().bytes()));
        assertThat(logo.preview().kind()).isEqualTo(NoticeImage.Kind.PNG);
        assertThat(preview.getRGB(119, 0) >>> 24).as("the corner is transparent").isZero();
        assertThat(preview.getRGB(45, 45)).isEqualTo(logo.pixels().getRGB(45, 45));
    }
}
