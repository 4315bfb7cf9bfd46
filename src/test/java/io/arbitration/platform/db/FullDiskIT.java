package io.arbitration.platform.db;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.Exported;
import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.SmallDisk;
import io.arbitration.mainapi.export.SlowExport;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** The disk of the embedded database fills up: what does not fit is refused whole, and with room again all goes on. */
class FullDiskIT {

    private static final int DRAFTS_MAX = 190;
    private static final int CHARACTERS = 45_000;
    /** More than an export sends to a reader who does not read. */
    private static final int NOISE_BYTES = 6_000_000;

    private static Answer draft(OpenCase open) {
        // Not compressible: PostgreSQL would make a page of what repeats itself.
        StringBuilder text = new StringBuilder(CHARACTERS);
        ThreadLocalRandom.current().ints(CHARACTERS, 0x4E00, 0x9FA0).forEach(c -> text.append((char) c));
        return open.create(open.claimant(), "motion", new JsonObject().put("motionTitle", "Motion").put("requestedOrder", "All of it.").put("grounds", text.toString()));
    }

    /** Unless it has died by itself, as it does when its log finds no room. */
    private static void killServer(Path pidFile) throws IOException {
        if (Files.exists(pidFile)) {
            ProcessHandle.of(Long.parseLong(Files.readAllLines(pidFile).getFirst().strip())).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    /**
     * An export writes nothing but its line of the audit trail. One that began before comes to its end, or is cut off where the database went,
     * so that nobody takes it for whole; one that begins now is whole, or refused because that line cannot be written.
     */
    private static void exportsAreWholeOrNone(RunningPlatform full, OpenCase open, SlowExport begun) throws IOException {
        int objects = full.objects().size();
        try (begun) {
            assertThat(Exported.of(begun.rest()).files()).containsKeys("manifest.json", "exhibits/C-1 noise.txt");
        } catch (IOException cut) {
            System.out.println("the export under way was cut off: " + cut.getMessage());
        }
        Answer another = open.on("/cases/cases/export", open.manager(), new JsonObject());
        if (another.status() == 200) {
            Exported.of(another.response().body());
        } else {
            assertThat(another.status()).as(another.body()).isEqualTo(503);
            assertThat(another.sentence()).isEqualTo("The database is not available.");
        }
        assertThat(full.objects()).hasSize(objects);
    }

    @Test
    void whatDoesNotFitIsRefusedWholeAndWithRoomAgainAllGoesOn() throws Exception {
        Path folder = Files.createTempDirectory("acp-full-database-");
        try (SmallDisk disk = SmallDisk.mount(folder, 400)) {
            // So small a disk is low from the start, and files are wanted on it.
            try (RunningPlatform full = RunningPlatform.start(folder.resolve("data"), Map.of("ACP_MANAGEMENT_DISK_FREE_BYTES_MIN", "0"))) {
                OpenCase open = OpenCase.on(full);
                open.docketed(new JsonObject());
                byte[] noise = new byte[NOISE_BYTES];
                ThreadLocalRandom.current().nextBytes(noise);
                assertThat(Form.of(open.caseId(), "other", "Noise.").file("noise.txt", "text/plain", Base64.getEncoder().encode(noise)).post(full, open.claimant().token())
                        .status()).isEqualTo(200);
                SlowExport begun = SlowExport.begin(full, open.caseId(), open.claimant().token());
                disk.fill(4 << 20);
                int taken = 0;
                Answer refused = draft(open);
                while (refused.status() == 200 && ++taken < DRAFTS_MAX) {
                    refused = draft(open);
                }
                assertThat(refused.status()).as(refused.body()).isEqualTo(503);
                assertThat(refused.sentence()).isEqualTo("The database is not available.");
                assertThat(refused.header("Retry-After")).isNotNull();
                exportsAreWholeOrNone(full, open, begun);
                disk.fill(0);
                killServer(folder.resolve("data/postgres/postmaster.pid"));
                Await.until("the server is away", () -> draft(open).status() == 503);
                disk.empty();
                // Of a server, too, that could not even recover on the full disk.
                Await.until("there is room again", () -> draft(open).status() == 200);
                int kept = full.rows("select 1 from mainapi.filings where case_id = ?::uuid and state = 'draft'", open.caseId()).size();
                assertThat(kept).as("drafts that were answered 200, and what was tried until there was room").isBetween(taken + 1, taken + 2);
                assertThat(open.on("/api/docket/verify", open.claimant(), new JsonObject()).object().getBoolean("valid")).isTrue();
                // A request that meets a connection which went with the server is answered 503, as a client would see it, and tried again.
                Await.despiteFailures("a document is docketed", Await.BOUND, () -> !open.docketed(new JsonObject()).isEmpty());
                assertThat(open.docket(open.claimant())).hasSize(2);
                assertThat(Exported.of(open, open.manager()).json("manifest.json").getJsonObject("docket").getInteger("entries")).isEqualTo(2);
            }
        }
    }
}
