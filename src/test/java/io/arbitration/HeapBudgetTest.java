package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.platform.StartFailure;
import io.arbitration.platform.config.Configuration;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeapBudgetTest {

    private static final Path HOME = Path.of("").toAbsolutePath();
    private static final long MIB = 1 << 20;
    /** What a JVM with the -Xmx960m of ./acp tells: one survivor space is not counted. */
    private static final long USUAL_HEAP = 955 * MIB;

    private static HeapBudget budget(Map<String, String> environment) {
        return HeapBudget.of(Settings.read(Configuration.load(HOME, environment), HOME));
    }

    @Test
    void theDefaultsFitTheHeapThatTheLauncherGives() {
        budget(Map.of()).check(USUAL_HEAP);
        budget(Map.of("ACP_AI_BASE_URL", "http://localhost:1")).check(USUAL_HEAP);
    }

    @Test
    void whatDoesNotFitNamesEverySettingWithItsFigureAndWhatWouldHelp() {
        assertThatThrownBy(() -> budget(Map.of("ACP_HTTP_BODIES_BYTES_MAX", "268435456", "ACP_AREAS_ENABLED", "auth,push")).check(512 * MIB))
                .isInstanceOf(StartFailure.class)
                .hasMessage("the heap is 512 MB, and the bounds of the settings need 1382 MB: http.bodiesBytesMax 268435456 takes 1024 MB, "
                        + "http.connectionsMax 10000 takes 79 MB, http.streamsMax 10000 takes 69 MB, rateLimit.keysMax 10000 takes 58 MB, "
                        + "http.answersBytesMax 33554432 takes 32 MB, identity.rememberedMax 10000 takes 25 MB, database.poolConnections 6 takes 12 MB, "
                        + "identity.revocationsMax 50000 takes 9 MB, push.inFlight 512 takes 4 MB, the node itself 72 MB. Lower these, or give the node more heap: "
                        + "ACP_JAVA_OPTIONS=-Xmx1425m")
                .extracting("exitCode").isEqualTo(StartFailure.MISCONFIGURED);
    }

    @Test
    void anAreaThatIsNotServedNeedsNothing() {
        Map<String, String> environment = new HashMap<>(Map.of("ACP_AI_BASE_URL", "http://localhost:1"));
        long all = budget(environment).bytes();
        environment.put("ACP_AREAS_ENABLED", "auth");
        assertThat(all - budget(environment).bytes()).isGreaterThan(200 * MIB);
        assertThat(budget(environment).shares()).extracting(HeapBudget.Share::setting).containsExactly("http.connectionsMax", "http.streamsMax", "http.bodiesBytesMax",
                "http.answersBytesMax", "database.poolConnections", "rateLimit.keysMax", "identity.rememberedMax", "identity.revocationsMax");
    }

    /** Each of these once took memory that nothing counted. */
    @Test
    void everyBoundThatCallersCanReachIsCounted() {
        long usual = budget(Map.of()).bytes();
        Map.of("ACP_HTTP_STREAMS_MAX", "10000", "ACP_RATE_LIMIT_KEYS_MAX", "10000", "ACP_IDENTITY_REMEMBERED_MAX", "10000", "ACP_IDENTITY_REVOCATIONS_MAX", "50000",
                "ACP_EXPORT_BYTES_MAX", "100663296").forEach((name, value) -> assertThat(budget(Map.of(name, value + "0")).bytes() - usual).as(name).isGreaterThan(70 * MIB));
        assertThat(usual - budget(Map.of("ACP_RATE_LIMIT_ENABLED", "false")).bytes()).as("without rates nobody is counted").isGreaterThan(50 * MIB);
    }

    @Test
    void picturesForTheModelAreCounted() {
        Map<String, String> without = Map.of("ACP_AI_BASE_URL", "http://localhost:1", "ACP_AI_IMAGES", "false");
        Map<String, String> with = Map.of("ACP_AI_BASE_URL", "http://localhost:1", "ACP_AI_IMAGES", "true");
        assertThat(budget(with).bytes() - budget(without).bytes()).isEqualTo(2 * 67 * MIB);
    }
}
