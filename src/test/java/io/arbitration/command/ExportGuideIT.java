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

/** The guide's commands, run as they stand there. */
class ExportGuideIT {

    private static final Pattern SHELL = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL);

    private final RunningPlatform platform = RunningPlatform.shared();
    private final OpenCase open = OpenCase.on(platform);

    @TempDir
    private Path folder;

    private record Ended(int code, String output) {}

    private static String guide() throws IOException {
        return Files.readString(Path.of("docs/guides/verify-an-export.md"));
    }

    private Ended run(String script) throws Exception {
        String set = "url=%s token=%s case_id=%s\n".formatted(platform.url(), open.claimant().token(), open.caseId());
        Process process = new ProcessBuilder("bash", "-eu", "-o", "pipefail", "-c",
                set + script.replace("url=https://arbitration.example.org\n", "")).directory(folder.toFile()).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), output);
    }

    @Test
    void theCommandsOfTheGuideVerifyAnExportAndNoticeAChange() throws Exception {
        for (String tool : List.of("node", "unzip", "curl")) {
            assumeTrue(run("command -v " + tool).code == 0, "skipped: no %s here".formatted(tool));
        }
        String first = open.docketed(new JsonObject().put("title", "Ünïcode — 文"));
        open.docketed(new JsonObject().put("supersedes", first));
        assertThat(Form.of(open.caseId(), "other", "d").file("a.txt", "text/plain", "Exhibit").post(platform, open.claimant().token()).status()).isEqualTo(200);
        Path acp = Files.writeString(folder.resolve("acp"), "#!/bin/sh\nexec '%s' -cp '%s' io.arbitration.Main \"$@\"\n".formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"), System.getProperty("java.class.path")));
        assertThat(acp.toFile().setExecutable(true)).isTrue();
        Files.writeString(folder.resolve("verify.mjs"), Pattern.compile("```js\n(.*?)```", Pattern.DOTALL).matcher(guide()).results().findFirst().orElseThrow().group(1));
        List<String> blocks = SHELL.matcher(guide()).results().map(block -> block.group(1)).toList();
        StringBuilder output = new StringBuilder();
        for (String block : blocks) {
            Ended ended = run(block);
            assertThat(ended.code).as("%s%n%s", block, ended.output).isZero();
            output.append(ended.output);
        }
        assertThat(output).contains("The export holds: case " + open.caseId(), "holds: 2 entries, 13 files");
        String last = run(blocks.getLast()).output;
        assertThat(last.lines().filter(line -> line.contains("sha256")).findFirst().orElseThrow()).contains(last.substring(0, 64));

        Path entry = folder.resolve("export/docket/entries/000001.json");
        Files.writeString(entry, Files.readString(entry).replace("Availability", "Availability!"));
        assertThat(run("node verify.mjs export keys.json")).isEqualTo(new Ended(1, "the export does not hold: docket/entries/000001.json\n"));
        byte[] zip = Files.readAllBytes(folder.resolve("export.zip"));
        zip[zip.length / 2] ^= 4;
        Files.write(folder.resolve("export.zip"), zip);
        Ended changed = run(blocks.stream().filter(block -> block.contains("verify-export")).findFirst().orElseThrow());
        assertThat(changed.code).isEqualTo(1);
        assertThat(changed.output).contains("acp: the export does not hold: ");
    }
}
