package io.arbitration.platform.answer;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.domain.time.Timestamps;
import io.vertx.core.json.Json;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Random;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What is written by hand is what the general writer says. */
class JsonBytesTest {

    private final Random random = new Random(1);

    private static String written(UnaryOperator<JsonBytes> write) {
        return write.apply(new JsonBytes(0)).toBuffer().toString();
    }

    @Test
    void everyCharacterIsWrittenAsJacksonWritesIt() {
        StringBuilder all = new StringBuilder();
        for (int character = 0; character <= Character.MAX_CODE_POINT; character++) {
            if (character < Character.MIN_SURROGATE || character > Character.MAX_SURROGATE) {
                all.appendCodePoint(character);
            }
        }
        assertThat(written(json -> json.text(all.toString()))).isEqualTo(Json.encode(all.toString()));
        assertThat(written(json -> json.text(""))).isEqualTo("\"\"");
    }

    @Test
    void idsAreWrittenAsTheirText() {
        for (int i = 0; i < 10_000; i++) {
            UUID id = i == 0 ? new UUID(0, 0) : i == 1 ? new UUID(-1, -1) : new UUID(random.nextLong(), random.nextLong());
            assertThat(written(json -> json.id(id))).isEqualTo("\"" + id + "\"");
        }
        for (long number : new long[] {0, 1, 9, 10, 99, 100, 1_234_567_890, Long.MAX_VALUE, -1, Long.MIN_VALUE}) {
            assertThat(written(json -> json.id(number))).isEqualTo("\"" + number + "\"");
        }
    }

    @Test
    void timesAreWrittenAsTimestampsAre() {
        for (int i = 0; i < 10_000; i++) {
            // From the year 1 until after 9999, where years get a sign.
            Instant instant = Instant.ofEpochSecond(random.nextLong(-62_000_000_000L, 260_000_000_000L), random.nextLong(1_000_000_000));
            ZoneOffset offset = ZoneOffset.ofHours(random.nextInt(-14, 15));
            assertThat(written(json -> json.time(instant.atOffset(offset)))).isEqualTo("\"" + Timestamps.text(instant) + "\"");
        }
        assertThat(written(json -> json.time(OffsetDateTime.of(0, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC)))).isEqualTo("\"0000-01-01T00:00:00.000Z\"");
    }

    @Test
    void partsStandOneBehindTheOtherHoweverLittleRoomThereWas() {
        String written = written(json -> {
            for (int i = 0; i < 100; i++) {
                json.raw("[".getBytes()).text("a\nb").raw(",".getBytes()).id(i).raw("]".getBytes());
            }
            return json;
        });
        assertThat(written).startsWith("[\"a\\nb\",\"0\"][\"a\\nb\",\"1\"]").endsWith("[\"a\\nb\",\"99\"]").hasSize(100 * "[\"a\\nb\",\"\"]".length() + 10 + 2 * 90);
    }
}
