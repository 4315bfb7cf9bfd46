package io.arbitration.platform.keys;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReencryptionTest {

    private static final byte[] CONTEXT = {1, 2, 3};

    @TempDir
    private Path folder;
    private Kms before;
    private Kms now;

    /** Rows in memory. */
    private static final class Table implements Reencryption.Rows {
        private final TreeMap<String, List<byte[]>> rows = new TreeMap<>();
        private final List<String> changedByOthers = new ArrayList<>();

        @Override
        public Future<List<Reencryption.Row>> without(byte[] prefix, Optional<String> after, int limit) {
            return Future.succeededFuture(rows.tailMap(after.orElse(""), false).entrySet().stream()
                    .filter(row -> row.getValue().stream().anyMatch(cipher -> !begins(cipher, prefix))).limit(limit)
                    .map(row -> new Reencryption.Row(row.getKey(), row.getValue(), CONTEXT)).toList());
        }

        @Override
        public Future<Boolean> replace(Reencryption.Row row, List<byte[]> fresh) {
            if (changedByOthers.remove(row.id())) {
                return Future.succeededFuture(false);
            }
            rows.put(row.id(), fresh);
            return Future.succeededFuture(true);
        }
    }

    private static boolean begins(byte[] cipher, byte[] prefix) {
        return Arrays.equals(cipher, 0, Math.min(prefix.length, cipher.length), prefix, 0, prefix.length);
    }

    @BeforeEach
    void replaceTheKey() {
        KeySettings settings = new KeySettings(folder.resolve("keyset.json"), new KeyService.Local(), Duration.ZERO);
        before = LocalKeyset.open(settings, Clock.systemUTC());
        LocalKeyset.change(settings, LocalKeyset.Step.ADD_KEY, Clock.systemUTC());
        LocalKeyset.change(settings, LocalKeyset.Step.USE_NEWEST, Clock.systemUTC());
        now = LocalKeyset.open(settings, Clock.systemUTC());
    }

    private static List<byte[]> of(Kms kms, int... values) {
        return Arrays.stream(values).mapToObj(value -> kms.encrypt(new byte[] {(byte) value}, CONTEXT)).toList();
    }

    private void assertHolds(Table table, String id, int... values) {
        assertThat(table.rows.get(id)).hasSize(values.length).allMatch(cipher -> begins(cipher, now.prefix()));
        assertThat(table.rows.get(id).stream().map(cipher -> now.decrypt(cipher, CONTEXT)[0]).toList())
                .containsExactlyElementsOf(Arrays.stream(values).mapToObj(value -> (byte) value).toList());
    }

    @Test
    void everyValueOfAnotherKeyIsReplacedAndNoOther() {
        Table table = new Table();
        IntStream.range(0, 250).forEach(i -> table.rows.put("%03d".formatted(i), of(before, i % 100, 1)));
        table.rows.put("new", of(now, 5));
        table.rows.put("of both", List.of(of(now, 6).getFirst(), of(before, 7).getFirst()));
        Map<String, List<byte[]>> were = Map.copyOf(table.rows);
        assertThat(Await.result(new Reencryption(now).run("rows", table))).isEqualTo(251);
        assertThat(table.rows.get("new")).isSameAs(were.get("new"));
        assertHolds(table, "000", 0, 1);
        assertHolds(table, "249", 49, 1);
        assertHolds(table, "of both", 6, 7);
        assertThat(Await.result(new Reencryption(now).run("rows", table))).isZero();
    }

    @Test
    void aRowThatChangedMeanwhileIsReadAgain() {
        Table table = new Table();
        table.rows.put("a", of(before, 1));
        table.rows.put("b", of(before, 2));
        table.changedByOthers.add("a");
        assertThat(Await.result(new Reencryption(now).run("rows", table))).isEqualTo(2);
        assertHolds(table, "a", 1);
        assertHolds(table, "b", 2);
    }

    @Test
    void aRowThatNobodyCanReadKeepsNoOtherFromIt() {
        Table table = new Table();
        table.rows.put("a", List.of(new byte[] {1, 2, 3, 4, 5, 6, 7}));
        table.rows.put("b", of(before, 2));
        assertThat(Await.result(new Reencryption(now).run("rows", table))).isEqualTo(1);
        assertHolds(table, "b", 2);
        assertThat(table.rows.get("a").getFirst()).containsExactly(1, 2, 3, 4, 5, 6, 7);
    }
}
