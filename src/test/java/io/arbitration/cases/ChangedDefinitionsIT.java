package io.arbitration.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.platform.StartFailure;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator who changes the definition files under cases that follow them. */
class ChangedDefinitionsIT {

    private static final Path EXPEDITED = Path.of("rule-sets/expedited.yaml");

    @TempDir
    Path folder;

    @Test
    void aRuleSetIsChangedForNewCasesButNotTakenFromThoseThatFollowIt() throws IOException {
        Path definitions = folder.resolve("definitions");
        copy(Path.of("conf/definitions"), definitions);
        String expedited = Files.readString(definitions.resolve(EXPEDITED));
        Files.writeString(definitions.resolve(EXPEDITED), expedited.replace("allowed: [7, 14, 21, 30]", "allowed: [7, 14]"));
        Path data = folder.resolve("data");

        String caseID;
        List<JsonObject> before;
        try (RunningPlatform platform = start(data, definitions)) {
            Person claimant = platform.signIn("clara@example.org", "Clara", "Claimant");
            caseID = create(platform, claimant, 7).object().getString("caseID");
            before = deadlines(platform, claimant);
            Answer refused = create(platform, claimant, 21);
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.sentence()).isEqualTo("responseDeadlineDays: must be one of 7, 14");
        }

        Files.delete(definitions.resolve(EXPEDITED));
        assertThatThrownBy(() -> start(data, definitions))
                .isInstanceOf(StartFailure.class)
                .hasMessage("definitions.folder: %s lacks the phase caseInitiation of the rule set expedited, and cases of this database are in that phase"
                        .formatted(definitions));

        LocalDate lastDay = LocalDate.parse(before.getFirst().getString("rolledDate"));
        Files.writeString(definitions.resolve(EXPEDITED), expedited.replace("timeZone: Europe/Berlin", "timeZone: Pacific/Auckland")
                .replace("reminderDays: [7, 1]", "reminderDays: [5]\nclosures: ['%s', '%s']".formatted(lastDay, lastDay.plusDays(1))));
        try (RunningPlatform platform = start(data, definitions)) {
            Person claimant = platform.signIn("clara@example.org", "Clara", "Claimant");
            List<String> ends = platform.post("/cases/cases/view", new JsonObject().put("caseID", caseID), claimant.token()).object()
                    .getJsonObject("timetable").getJsonArray("phases").stream()
                    .map(phase -> ((JsonObject) phase).getString("scheduledEnd"))
                    .toList();
            assertThat(ends).as("days end at midnight in Auckland").allMatch(end -> end.matches(".*T1[01]:59:59\\.999Z"));
            Await.until("the stored deadlines are computed again", () -> platform.rows("select from cases.deadline_rules where done").size() == 1);
            JsonObject claim = deadlines(platform, claimant).getFirst();
            assertThat(claim.getString("deadlineID")).as("across cases, where nothing has happened in this one").isEqualTo(before.getFirst().getString("deadlineID"));
            assertThat(LocalDate.parse(claim.getString("rolledDate"))).isAfter(lastDay.plusDays(1));
            assertThat(claim.getString("date")).matches(".*T1[01]:59:59\\.999Z");
            assertThat(platform.rows("select distinct remind_days::text from cases.deadlines")).containsExactly(List.of("{5}"));
        }

        // The claim is due no more by the rules.
        Files.writeString(definitions.resolve(EXPEDITED), expedited.replaceFirst("(documentID: statementOfClaim[^}]*?),\\s*deadline: \\{[^}]*}", "$1"));
        try (RunningPlatform platform = start(data, definitions)) {
            Person claimant = platform.signIn("clara@example.org", "Clara", "Claimant");
            Await.until("the stored deadlines are computed again", () -> platform.rows("select from cases.deadline_rules where done").size() == 1);
            assertThat(deadlines(platform, claimant)).isEmpty();
        }
    }

    private static RunningPlatform start(Path data, Path definitions) {
        return RunningPlatform.start(data, Map.of("ACP_DEFINITIONS_FOLDER", definitions.toString()));
    }

    private static List<JsonObject> deadlines(RunningPlatform platform, Person by) {
        return platform.post("/cases/deadlines/list", new JsonObject(), by.token()).object().getJsonArray("deadlines").stream().map(JsonObject.class::cast).toList();
    }

    private static Answer create(RunningPlatform platform, Person claimant, int days) {
        return platform.post("/cases/cases/create", new JsonObject().put("title", "A v. B").put("ruleSet", "expedited")
                .put("responseDeadlineDays", days), claimant.token());
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }
}
