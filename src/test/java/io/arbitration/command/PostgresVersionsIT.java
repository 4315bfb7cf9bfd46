package io.arbitration.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arbitration.OtherRuntimes;
import io.arbitration.RunningPlatform;
import io.arbitration.platform.db.PostgresBinaries;
import io.vertx.core.json.JsonObject;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The demo's case on each version of PostgreSQL before the embedded one: the oldest in every run, the others by {@code ./acp counterparts}. */
class PostgresVersionsIT {

    private static final String OLDEST = "15.18.0";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {OLDEST, "16.14.0", "17.10.0"})
    void aCaseIsPlayedOnADatabaseThatItMigratedFromNothing(String version) throws Exception {
        assumeTrue(version.equals(OLDEST) || OtherRuntimes.counterparts("PostgreSQL " + version), "left to ./acp counterparts");
        Optional<EmbeddedPostgres.Builder> found = PostgresBinaries.of(version, Files.createDirectories(folder));
        assumeTrue(found.isPresent(), "no PostgreSQL " + version);
        try (EmbeddedPostgres server = found.get().start();
                RunningPlatform platform = RunningPlatform.startFromNothing(folder.resolve("data"), Map.of("ACP_DATABASE_URL",
                        "postgresql://postgres:x@localhost:%d/postgres?sslmode=disable".formatted(server.getPort())))) {
            assertThat(platform.rows("show server_version").getFirst().getFirst()).startsWith(version.replaceAll("\\.0$", ""));
            DemoCase.Ending ending;
            try (DemoClient client = new DemoClient(area -> platform.url() + "/" + area, line -> {})) {
                ending = new DemoCase(client, true).play();
            }
            JsonObject hits = platform.post("/api/search", new JsonObject().put("query", "cranes"), ending.claimant().token()).object();
            assertThat(hits.getJsonArray("results")).isNotEmpty();
            assertThat(platform.health().getString("status")).isEqualTo("UP");
            assertThat(platform.rows("select count(*) from platform.migrations where not success")).containsExactly(List.of("0"));
        }
    }
}
