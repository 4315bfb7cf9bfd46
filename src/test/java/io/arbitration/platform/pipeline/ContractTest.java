package io.arbitration.platform.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.Settings;
import io.arbitration.platform.answer.LeastPace;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.limits.ByteBudget;
import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.limits.SharedRateLimiters;
import io.arbitration.platform.telemetry.Traces;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class ContractTest {

    private static final OperationHandler DONE = call -> Future.succeededFuture(Reply.sentence("Done."));
    private static Vertx vertx;
    private static OperationPipeline pipeline;

    @BeforeAll
    static void open(Vertx vertx) {
        ContractTest.vertx = vertx;
        Path home = Path.of("").toAbsolutePath();
        Settings settings = Settings.read(Configuration.load(home, Map.of()), home);
        SharedRateLimiters rates = new SharedRateLimiters(true, 1000);
        pipeline = new OperationPipeline(null, null, settings.body(), rates.limiter("caller", 500, Duration.ofSeconds(1)), rates.limiter("organization", 2500, Duration.ofSeconds(1)),
                rates.limiter("address", 20, Duration.ofSeconds(1)), null, new SimpleMeterRegistry(), Traces.OFF,
                new ReplySender(true, new LeastPace(1024, 30), new AnswerBudget(new ByteBudget.Bounds(1 << 20, 1 << 20, 1 << 20)), 0, new SimpleMeterRegistry()));
    }

    private static Router router(Contract contract) {
        return contract.router(vertx, pipeline).await();
    }

    @Test
    void aContractWithAHandlerForEachOperationMakesARouter() {
        Router router = router(Contract.read("small").bind("open", DONE).bind("shut", DONE));
        assertThat(router.getRoutes()).isNotEmpty();
    }

    @Test
    void anOperationWithoutAHandlerStopsTheStart() {
        assertThatThrownBy(() -> router(Contract.read("small").bind("open", DONE)))
                .hasMessage("contract small: operations without a handler [shut], handlers without an operation []");
    }

    @Test
    void aHandlerWithoutAnOperationStopsTheStart() {
        Contract contract = Contract.read("small").bind("open", DONE).bind("shut", DONE).bind("lock", DONE);
        assertThatThrownBy(() -> router(contract))
                .hasMessage("contract small: operations without a handler [], handlers without an operation [lock]");
    }

    @Test
    void anOperationBoundTwiceStopsTheStart() {
        assertThatThrownBy(() -> Contract.read("small").bind("open", DONE).bind("open", DONE))
                .hasMessage("contract small: operation open is bound twice");
    }

    /** Left out, "security" would make an operation public without anyone having said so. */
    @Test
    void anOperationThatDoesNotSayWhoMayCallItStopsTheStart() {
        assertThatThrownBy(() -> router(Contract.read("small-unsaid").bind("open", DONE)))
                .hasMessageContaining("operation open does not say who may call it");
    }

    @Test
    void aBodyKeywordThatIsNotCheckedStopsTheStart() {
        assertThatThrownBy(() -> router(Contract.read("small-unchecked").bind("open", DONE)))
                .hasMessageContaining("uses the keyword minContains");
    }

    @Test
    void aContractThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> Contract.read("nowhere")).hasMessage("no contract openapi/nowhere.yaml");
    }
}
