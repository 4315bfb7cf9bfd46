package io.arbitration.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The guide's script tells true from false; GuidesIT runs the guide as a whole. */
class ExportGuideIT {

    private final RunningPlatform platform = RunningPlatform.shared();
    private final OpenCase open = OpenCase.on(platform);

    @TempDir
    private Path folder;

    private record Ended(int code, String output) {}

    private static String guide() throws IOException {
        return Files.readString(Path.of("docs/guides/verify-an-export.md"));
    }

    private Ended run(String script) throws Exception {
        Process process = new ProcessBuilder("bash", "-eu", "-o", "pipefail", "-c", script).directory(folder.toFile()).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), output);
    }

    @Test
    void theScriptOfTheGuideNoticesAChange() throws Exception {
        for (String tool : List.of("node", "unzip")) {
            assumeTrue(run("command -v " + tool).code == 0, "skipped: no %s here".formatted(tool));
        }
        String first = open.docketed(new JsonObject().put("title", "Ünïcode — 文"));
        open.docketed(new JsonObject().put("supersedes", first));
        assertThat(Form.of(open.caseId(), "other", "d").file("a.txt", "text/plain", "Exhibit").post(platform, open.claimant().token()).status()).isEqualTo(200);
        Files.writeString(folder.resolve("verify.mjs"), Pattern.compile("```js\n(.*?)```", Pattern.DOTALL).matcher(guide()).results().findFirst().orElseThrow().group(1));
        Files.write(folder.resolve("export.zip"), open.on("/cases/cases/export", open.claimant(), new JsonObject()).response().body());
        Files.writeString(folder.resolve("keys.json"), platform.get("/auth/.well-known/jwks.json").body());
        assertThat(run("unzip -q export.zip -d export; node verify.mjs export keys.json")).isEqualTo(new Ended(0, "valid: 2 entries, 13 files\n"));

        Path entry = folder.resolve("export/docket/entries/000001.json");
        Files.writeString(entry, Files.readString(entry).replace("Availability", "Availability!"));
        assertThat(run("node verify.mjs export keys.json")).isEqualTo(new Ended(1, "the export is not valid: docket/entries/000001.json\n"));
    }
}
