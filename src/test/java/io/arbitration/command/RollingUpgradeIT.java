package io.arbitration.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arbitration.OpenCase;
import io.arbitration.PlatformProcess;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The last release and this one beside each other on one database, as while an upgrade rolls out. The last one is that of
 * {@code dev/former-release}, where {@code ./acp upgrade-test} has built it before, or else the jar that
 * {@code -Dacp.formerJar=…/target/platform.jar} names, in a folder built by {@code ./acp build}.
 */
class RollingUpgradeIT {

    @TempDir
    private Path folder;

    /** The place in which {@code ./acp upgrade-test} builds a commit, which it does once. */
    private static Path built() throws IOException {
        String commit = Files.readAllLines(Path.of("dev/former-release")).stream().filter(line -> !line.startsWith("#")).findFirst().orElseThrow().strip();
        Path cache = Optional.ofNullable(System.getenv("XDG_CACHE_HOME")).map(Path::of).orElse(Path.of(System.getProperty("user.home"), ".cache"));
        return cache.resolve("arbitration-platform").resolve(commit).resolve("target/platform.jar");
    }

    private static Path formerJar() throws IOException {
        String named = System.getProperty("acp.formerJar", "");
        Path jar = named.isEmpty() ? built() : Path.of(named);
        boolean there = Files.isRegularFile(jar);
        if (!there) {
            System.out.printf("skipped: no jar of the last release at %s (./acp upgrade-test builds it): nothing is run beside this one%n", jar);
        }
        assertThat(named.isEmpty() || there).as("-Dacp.formerJar=%s", named).isTrue();
        assumeTrue(there, "no jar of the last release");
        return jar;
    }

    @Test
    void bothServeWhileTheUpgradeRollsOutAndNeitherLosesWhatTheOtherWrote() throws Exception {
        try (PlatformProcess former = PlatformProcess.startJar(formerJar(), folder.resolve("former"), Map.of())) {
            play(former.platform());
            OpenCase old = OpenCase.on(former.platform());
            old.docketed(new JsonObject());
            // The new release migrates as it starts; the last one goes on.
            try (PlatformProcess next = former.sibling(folder.resolve("next"), Map.of("ACP_DEFINITIONS_FOLDER", definitions().toString()))) {
                List<RunningPlatform> both = List.of(former.platform(), next.platform());
                for (RunningPlatform one : both) {
                    for (RunningPlatform other : both) {
                        OpenCase made = OpenCase.on(one);
                        made.docketed(new JsonObject());
                        OpenCase there = new OpenCase(other, made.caseId(), made.claimant(), made.colleague(), made.observer(), made.respondent(),
                                made.manager(), made.arbitrator(), made.outsider());
                        there.docketed(new JsonObject());
                        made.docketed(new JsonObject());
                        // The docket has entries of both versions of the canonical form; the last release knows one of them.
                        verified(next.platform(), made, 3);
                    }
                }
                verified(next.platform(), old, 1);
                // Events of both are delivered, whichever of them takes and sends.
                both.forEach(RollingUpgradeIT::play);
                try (var sql = former.sql(); ResultSet left = sql.createStatement().executeQuery("""
                        select (select count(*) from webhooks.deliveries where state <> 'delivered'),
                               (select count(*) from (select case_id from mainapi_api.docket_entries group by case_id having count(*) <> max(number)) gaps)
                        """)) {
                    left.next();
                    assertThat(List.of(left.getLong(1), left.getLong(2))).as("deliveries that did not arrive, dockets with gaps").containsOnly(0L);
                }
            }
        }
    }

    /** Of the last release: as long as one of its nodes runs, a node with other definitions does not start. */
    private static Path definitions() throws IOException {
        return formerJar().toAbsolutePath().getParent().getParent().resolve("conf/definitions");
    }

    /** The demo's case, as far as the release has its operations; else a plain one. */
    private static void play(RunningPlatform platform) {
        if (!platform.get("/openapi/cases.yaml").body().contains("/invitations/create:")) {
            OpenCase.on(platform).docketed(new JsonObject());
            return;
        }
        try (DemoClient client = client(platform)) {
            new DemoCase(client, true).play();
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }

    private static DemoClient client(RunningPlatform platform) {
        return new DemoClient(area -> platform.url() + "/" + area, line -> {});
    }

    private static void verified(RunningPlatform platform, OpenCase of, int entries) {
        Answer verified = platform.post("/api/docket/verify", new JsonObject().put("caseID", of.caseId()), of.manager().token());
        assertThat(verified.object().getMap()).containsEntry("valid", true).containsEntry("entries", entries);
    }
}
