package io.arbitration.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.Await;
import io.arbitration.DefinitionsCopy;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.cases.deadlines.DeadlineStorage;
import io.arbitration.cases.deadlines.DeadlineWiring;
import io.arbitration.cases.deadlines.DeadlinesSettings;
import io.arbitration.cases.definitions.DefinitionsLoader;
import io.arbitration.cases.definitions.RulesFingerprint;
import io.arbitration.domain.CaseId;
import io.arbitration.platform.StartFailure;
import io.arbitration.platform.db.Database;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator who changes the definition files under cases that follow them. */
class ChangedDefinitionsIT {

    private static final String EXPEDITED = "rule-sets/expedited.yaml";

    @TempDir
    Path folder;

    @Test
    void aRuleSetIsChangedForNewCasesButNotTakenFromThoseThatFollowIt() throws IOException {
        Path definitions = folder.resolve("definitions");
        DefinitionsCopy copy = DefinitionsCopy.in(definitions);
        String expedited = Files.readString(definitions.resolve(EXPEDITED));
        copy.replace(EXPEDITED, "allowed: [7, 14, 21, 30]", "allowed: [7, 14]");
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
            oneNodeAfterTheOther(platform, claimant, definitions, caseID);
        }
    }

    /** A node with other rules takes the place of this one, which goes on writing by its own for a while: the claim is due no more. */
    private void oneNodeAfterTheOther(RunningPlatform former, Person claimant, Path definitions, String caseID) throws IOException {
        Answer commercial = former.post("/cases/cases/create", new JsonObject().put("title", "C v. D").put("ruleSet", "commercial"), claimant.token());
        List<List<String>> kept = versions(former, commercial.object().getString("caseID"));
        Path changed = folder.resolve("changed");
        new DefinitionsCopy(definitions).again(changed);
        Files.writeString(changed.resolve(EXPEDITED),
                Files.readString(definitions.resolve(EXPEDITED)).replaceFirst("(documentID: statementOfClaim[^}]*?),\\s*deadline: \\{[^}]*}", "$1"));
        DeadlineStorage byFormerRules = new DeadlineWiring(former.vertx(), former.services(), DefinitionsLoader.rules(definitions, Clock.systemUTC()),
                RulesFingerprint.of(definitions), new DeadlinesSettings(Duration.ofMinutes(1))).storage();
        try (RunningPlatform later = former.sibling(folder.resolve("later"), Map.of("ACP_DEFINITIONS_FOLDER", changed.toString(),
                "ACP_DEFINITIONS_REPLACE", "true", "ACP_DEADLINES_LOOK_SECONDS", "1"))) {
            awaitNoDeadline(later, caseID);
            // The former node was cut off when the other one looked for it, and comes back: the work counts as done, and it writes by its own rules again.
            later.rows("update cases.deadline_rules set done = true returning 1");
            UUID id = UUID.fromString(caseID);
            List<String> written = Await.result(former.database().transaction(transaction -> CasesRepository.find(transaction, List.of(new CaseId(id)))
                    .compose(found -> byFormerRules.keep(transaction, found.getFirst()))
                    .compose(done -> Database.query(transaction, "select document_id from cases.deadlines where case_id = $1", Tuple.of(id), row -> row.getString(0)))));
            assertThat(written).containsExactly("statementOfClaim");
            awaitNoDeadline(later, caseID);
            assertThat(versions(later, commercial.object().getString("caseID"))).as("what is as the rules of both set it is not written again").isEqualTo(kept);
        }
    }

    private static void awaitNoDeadline(RunningPlatform platform, String caseID) {
        Await.until("the stored deadlines are computed again", () -> platform.rows("select from cases.deadlines where case_id = ?::uuid", caseID).isEmpty());
    }

    private static List<List<String>> versions(RunningPlatform platform, String caseID) {
        return platform.rows("select deadline_id, xmin from cases.deadlines where case_id = ?::uuid order by deadline_id", caseID);
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
}
