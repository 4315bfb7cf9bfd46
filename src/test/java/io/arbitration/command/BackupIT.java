package io.arbitration.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.PlatformProcess;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A platform backed up and restored by the commands of the guide, word for word. */
class BackupIT {

    private static final Pattern TAR = Pattern.compile("```sh\n((?:[^`]*\n)?tar [^`]*)```");

    @TempDir
    private Path folder;

    private static List<String> commands() throws IOException {
        List<String> blocks = TAR.matcher(Files.readString(Path.of("docs/guides/operate.md"))).results().map((MatchResult block) -> block.group(1)).toList();
        assertThat(blocks).hasSize(2);
        return blocks;
    }

    private void run(String script, Path data) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("bash", "-euc", script).redirectErrorStream(true);
        builder.environment().put("data", data.toString());
        builder.environment().put("backup", folder.resolve("backup.tar.gz").toString());
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
    }

    private static void remove(Path tree) throws IOException {
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path one : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(one);
            }
        }
    }

    @Test
    void whatIsRestoredInAnEmptyPlaceHasItsDocketItsEvidenceAndItsKeys() throws Exception {
        Path first = folder.resolve("first");
        byte[] exhibit = "Bill of lading no. 7\n".repeat(5000).getBytes(StandardCharsets.UTF_8);
        OpenCase open;
        JsonArray docket;
        String uploadId;
        try (PlatformProcess process = PlatformProcess.startFromNothing(first)) {
            open = OpenCase.on(process.platform());
            open.docketed(new JsonObject());
            open.docketed(new JsonObject());
            docket = open.docket(open.manager());
            uploadId = upload(process.platform(), open, exhibit);
        }
        run(commands().get(0), first);
        remove(first);
        Path second = folder.resolve("elsewhere/second");
        run(commands().get(1), second);
        try (PlatformProcess process = PlatformProcess.start(second)) {
            RunningPlatform restored = process.platform();
            // The token was signed before the back-up: the keys are there, and open.
            String manager = open.manager().token();
            JsonObject ofCase = new JsonObject().put("caseID", open.caseId());
            assertThat(restored.post("/api/docket/entries/list", ofCase, manager).object().getJsonArray("entries")).isEqualTo(docket).hasSize(2);
            assertThat(restored.post("/api/docket/verify", ofCase, manager).object().getMap()).containsEntry("valid", true).containsEntry("entries", 2);
            Answer file = restored.post("/api/evidence/uploads/download", ofCase.copy().put("uploadID", uploadId), manager);
            assertThat(file.status()).as(file.body()).isEqualTo(200);
            assertThat(file.response().body()).isEqualTo(exhibit);
            // And it goes on from there.
            OpenCase again = new OpenCase(restored, open.caseId(), open.claimant(), open.colleague(), open.observer(), open.respondent(), open.manager(),
                    open.arbitrator(), open.outsider());
            again.docketed(new JsonObject());
            assertThat(restored.post("/api/docket/verify", ofCase, manager).object().getMap()).containsEntry("valid", true).containsEntry("entries", 3);
        }
    }

    private static String upload(RunningPlatform platform, OpenCase open, byte[] content) {
        Answer uploaded = Form.of(open.caseId(), "other", "Bill of lading").file("lading.txt", "text/plain", content).post(platform, open.claimant().token());
        assertThat(uploaded.status()).as(uploaded.body()).isEqualTo(200);
        return uploaded.object().getString("uploadID");
    }
}
