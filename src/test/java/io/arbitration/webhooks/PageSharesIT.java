package io.arbitration.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pages of long rows of one user are that user's problem alone. */
class PageSharesIT {

    private static final int SHARE = 16;
    private static final int SHARE_OF_FILINGS = 128;
    private static final JsonObject ALL = new JsonObject();

    private final RunningPlatform platform = RunningPlatform.shared();

    private static CompletableFuture<Answer> asked(Supplier<Answer> list) {
        return CompletableFuture.supplyAsync(list, Thread::startVirtualThread);
    }

    /** While the database answers nobody, the one too many is refused at once and the others and another user's wait. */
    private void assertShare(int share, String table, Supplier<Answer> list, Supplier<Answer> ofAnother, String code, String text) throws Exception {
        List<CompletableFuture<Answer>> all;
        CompletableFuture<Answer> another;
        try (Connection held = platform.sql(); Statement sql = held.createStatement()) {
            held.setAutoCommit(false);
            sql.execute("lock table " + table + " in access exclusive mode");
            all = Stream.generate(() -> asked(list)).limit(share + 1).toList();
            Answer refused = (Answer) CompletableFuture.anyOf(all.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
            assertThat(refused.status()).as(refused.body()).isEqualTo(429);
            assertThat(refused.header("Error-Code")).isEqualTo(code);
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            assertThat(refused.body()).isEqualTo('"' + text + '"');
            another = asked(ofAnother);
            held.rollback();
        }
        assertThat(all.stream().map(CompletableFuture::join).filter(answer -> answer.status() == 200)).hasSize(share);
        assertThat(another.join().status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({"webhooks.deliveries, /deliveries/list, delivery.caller-busy, deliveries", "webhooks.feed, /events/list, events.caller-busy, events"})
    void oneUserHasAShareOfThePagesOfDeliveriesAndOfEvents(String table, String path, String code, String what) throws Exception {
        Hooked busy = Hooked.on(platform);
        Hooked other = Hooked.on(platform);
        assertShare(SHARE, table, () -> busy.post(path, ALL), () -> other.post(path, ALL), code, "At most 16 pages of %s of one caller are read at once.".formatted(what));
    }

    @Test
    void oneCaseManagerHasAShareOfThePagesOfAnalyses() throws Exception {
        OpenCase busy = OpenCase.on(platform);
        OpenCase other = OpenCase.on(platform);
        assertShare(SHARE, "ai.analyses", () -> busy.on("/ai/analyses/list", busy.manager(), ALL.copy()), () -> other.on("/ai/analyses/list", other.manager(), ALL.copy()),
                "analysis.caller-busy", "At most 16 pages of analyses of one caller are read at once.");
    }

    @Test
    void oneUserHasAShareOfThePagesOfFilings() throws Exception {
        OpenCase busy = OpenCase.on(platform);
        OpenCase other = OpenCase.on(platform);
        assertShare(SHARE_OF_FILINGS, "mainapi.filings", () -> busy.on("/api/filings/list", busy.claimant(), ALL.copy()), () -> other.on("/api/filings/list", other.claimant(), ALL.copy()),
                "filing.caller-busy", "At most 128 pages of filings of one caller are read at once.");
    }
}
