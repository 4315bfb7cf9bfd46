package io.arbitration.cases.definitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.arbitration.DefinitionsCopy;
import io.arbitration.cases.definitions.InvalidDefinition.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Breaks a copy of the shipped definitions in one place and reads what the start would say. */
class InvalidDefinitionTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void copyShippedDefinitions() {
        DefinitionsCopy.in(folder);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        // the file | what stands there | what is put in its place | the place named | a part of the reason
        "parties.yaml|id: claimant|id: plaintiff|/parties|lacks claimant",
        "parties.yaml|id: arbitrator|id: claimant|/parties/3/id|claimant is there twice",
        "parties.yaml|displayName: Claimant|displayTitle: Claimant|/parties/0|lacks \"displayName\"",
        "parties.yaml|displayName: Claimant|displayTitle: Claimant|/parties/0/displayTitle|is not a key that is known",
        "parties.yaml|id: claimant|id: the claimant|/parties/0/id|does not match ^[a-z]",
        "phases.yaml|id: hearing|id: response|/phases/8/id|response is there twice",
        "phases.yaml|id: evidenceExchange|id: exchange|/phases|lacks evidenceExchange",
        "evidence.yaml|id: invoice|id: contract|/evidence/6/id|contract is there twice",
        "evidence.yaml|- message/rfc822|- mail|/evidence/1/contentTypes/1|does not match",
        "evidence.yaml|- message/rfc822|- 7|/evidence/1/contentTypes/1|Expected string",
        "mail-types.yaml|inputType: files|inputType: json|/mailTypes/0/UserFields|at most 0 items",
        "mail-types.yaml|inputType: files|inputType: paper|/mailTypes/0/inputType|does not match any of",
        "mail-types.yaml|id: logo|id: attachment|/mailTypes/0/UserFields/1/id|attachment is there twice",
        "mail-types.yaml|pixelWidth: 1200|pixelWidth: 0|/mailTypes/0/UserFields/0/pixelWidth|at least 1",
        "mail-types.yaml|pixelWidth: 1200|pixelWidth: 12.5|/mailTypes/0/UserFields/0/pixelWidth|Expected integer",
        "documents/motion.yaml|id: motion\\n|id: notion\\n|/id|notion is not the name of the file",
        "documents/motion.yaml|type: boolean|type: tristate|/sections/0/fields/3/type|does not match any of",
        "documents/motion.yaml|minLength: 1, maxLength: 200|minLength: 201, maxLength: 200|/sections/0/fields/0/minLength|201 is more than maxLength 200",
        "documents/motion.yaml|id: conferred,|id: grounds,|/sections/1/fields/0/id|grounds is already the id of /sections/0/fields/2",
        "documents/motion.yaml|required: true|required: often|/sections/0/fields/0/required|Expected boolean",
        "documents/motion.yaml|required: true|required: yes|/sections/0/fields/0/required|Expected boolean",
        "rule-sets/commercial.yaml|id: commercial|id: business|/id|business is not the name of the file",
        "rule-sets/commercial.yaml|America/New_York|America/Gotham|/timeZone|America/Gotham is no time zone",
        "rule-sets/commercial.yaml|holidayCalendar: us|holidayCalendar: atlantis|/holidayCalendar|atlantis is no holiday calendar",
        "rule-sets/expedited.yaml|holidayCalendar: de|holidayCalendar: de-atlantis|/holidayCalendar|de-atlantis is no holiday calendar",
        "rule-sets/commercial.yaml|reminderDays: [7, 1]|seat: DE-QQ|/seat|the holidays of DE-QQ are not known",
        "rule-sets/commercial.yaml|reminderDays: [7, 1]|seat: Bavaria|/seat|does not match",
        "rule-sets/commercial.yaml|reminderDays: [7, 1]|closures: ['2026-12-24', '2026-02-30']|/closures/1|2026-02-30 is no day",
        "rule-sets/commercial.yaml|reminderDays: [7, 1]|closures: ['Christmas']|/closures/0|does not match",
        "rule-sets/commercial.yaml|default: 21|default: 20|/responseDeadlineDays/default|does not match any of",
        "rule-sets/commercial.yaml|[7, 14, 21, 30]|[7, 14]|/responseDeadlineDays/default|21 is not among those allowed",
        "rule-sets/commercial.yaml|documentID: statementOfClaim|documentID: claim|/phases/0/documents/0/documentID|there is no document claim",
        "rule-sets/commercial.yaml|documentID: counterclaim, days|documentID: claim, days|/phases/2/documents/3/deadline/documentID|there is no document claim",
        "rule-sets/commercial.yaml|trigger: documentDocketed, documentID: counterclaim|trigger: documentDocketed|/phases/2/documents/3/deadline|lacks \"documentID\"",
        "rule-sets/commercial.yaml|trigger: caseCreated|trigger: phaseStart, documentID: award|/phases/0/documents/0/deadline/documentID|does not belong here",
        "rule-sets/commercial.yaml|days: 30, calendar|days: soon, calendar|/phases/0/documents/0/deadline/days|does not match ^responseDeadlineDays$",
        "rule-sets/commercial.yaml|filedBy: [claimant], approvedBy: caseManager, maxAllowed: 1, required: true|filedBy: [plaintiff], approvedBy: caseManager, maxAllowed: 1, required: true|/phases/0/documents/0/filedBy/0|there is no party plaintiff",
        "rule-sets/commercial.yaml|approvedBy: caseManager|approvedBy: clerk|/everyPhase/1/approvedBy|there is no party clerk",
        "rule-sets/commercial.yaml|approvedBy: caseManager|approvedBy: claimant|/everyPhase/1/approvedBy|claimant would approve its own filings",
        "rule-sets/commercial.yaml|approvedBy: caseManager, maxAllowed: 50|maxAllowed: 50|/everyPhase/1|lacks \"approvedBy\"",
        "rule-sets/commercial.yaml|maxAllowed: 500|maxAllowed: 0|/everyPhase/6/maxAllowed|at least 1",
        "rule-sets/commercial.yaml|phaseID: hearing|phaseID: trial|/phases/8/phaseID|there is no phase trial",
        "rule-sets/commercial.yaml|phaseID: hearing|phaseID: response|/phases/8/phaseID|response is there twice",
        "rule-sets/commercial.yaml|phaseID: hearing|phaseID: response|/phases|lacks the phase hearing",
        "rule-sets/commercial.yaml|documentID: statementOfClaim, filedBy|documentID: motion, filedBy|/phases/0/documents/0|the claimant's motion has a rule at /everyPhase/3",
        "rule-sets/commercial.yaml|documentID: counterclaim, filedBy|documentID: answer, filedBy|/phases/2/documents/1|the respondent's answer has a rule at /phases/2/documents/0"})
    void aBrokenPlaceIsNamedWithItsFileLineAndReason(String file, String right, String wrong, String place, String reason)
            throws IOException {
        String content = Files.readString(folder.resolve(file));
        String from = right.replace("\\n", "\n");
        assertThat(content).as("the test breaks something").contains(from);
        String before = content.substring(0, content.indexOf(from));
        write(file, before + wrong.replace("\\n", "\n") + content.substring(before.length() + from.length()));

        InvalidDefinition broken = load();

        assertThat(broken.problems()).anySatisfy(problem -> {
            assertThat(problem.file()).isEqualTo(file);
            assertThat(problem.place()).isEqualTo(place);
            assertThat(problem.line()).isPositive();
            assertThat(problem.reason()).contains(reason);
        });
        assertThat(broken).hasMessageContaining(file + ": " + place + " (line ");
    }

    @Test
    void theShippedDefinitionsAreNotBroken() {
        assertThatCode(() -> DefinitionsLoader.load(folder)).doesNotThrowAnyException();
    }

    @Test
    void aSingleMistakeIsReportedOnce() throws IOException {
        String motion = Files.readString(folder.resolve("documents/motion.yaml"));
        write("documents/motion.yaml", motion.replaceFirst("type: boolean", "type: tristate"));
        assertThat(load().problems()).singleElement().extracting(Problem::line).isEqualTo(12);
    }

    @Test
    void theProblemsOfAllFilesAreReportedAtOnce() throws IOException {
        write("parties.yaml", "parties: []\n");
        write("documents/motion.yaml", "id: motion\n");
        write("rule-sets/expedited.yaml", "- not a mapping\n");
        Files.delete(folder.resolve("evidence.yaml"));
        assertThat(load().problems()).extracting(Problem::file)
                .contains("parties.yaml", "documents/motion.yaml", "rule-sets/expedited.yaml", "evidence.yaml");
    }

    @Test
    void aMissingFileIsNamed() throws IOException {
        Files.delete(folder.resolve("mail-types.yaml"));
        assertThat(load()).hasMessage("mail-types.yaml: is missing");
    }

    @Test
    void aFolderThatIsNotThereIsNamed() {
        folder = folder.resolve("elsewhere");
        assertThat(load()).hasMessageContaining(folder + ": is missing");
    }

    @Test
    void aFileUnderAStrangeNameIsRefused() throws IOException {
        write("documents/motion2.yml", "id: motion2\n");
        write("partys.yaml", "parties: []\n");
        assertThat(load()).hasMessage("""
                documents/motion2.yml: is not the name of a definition file
                partys.yaml: is not the name of a definition file""");
    }

    @Test
    void aHiddenFileDoesNotCount() throws IOException {
        write(".DS_Store", "\0");
        write("documents/.motion.yaml.swp", "\0");
        assertThatCode(() -> DefinitionsLoader.load(folder)).doesNotThrowAnyException();
    }

    @Test
    void aKeyThatIsThereTwiceIsRefusedWithItsLine() throws IOException {
        write("parties.yaml", "parties:\n  - id: claimant\n    id: respondent\n");
        assertThat(load().problems()).singleElement().satisfies(problem -> {
            assertThat(problem.file()).isEqualTo("parties.yaml");
            assertThat(problem.line()).isEqualTo(3);
            assertThat(problem.reason()).contains("Duplicate field 'id'");
        });
    }

    @Test
    void whatIsNoYamlIsRefusedWithItsLine() throws IOException {
        write("phases.yaml", "phases:\n  - id: [\n");
        assertThat(load().problems()).singleElement().satisfies(problem -> {
            assertThat(problem.line()).isPositive();
            assertThat(problem.reason()).startsWith("is not YAML that can be read");
        });
    }

    @Test
    void anEmptyFileIsRefused() throws IOException {
        write("phases.yaml", "# nothing yet\n");
        assertThat(load()).hasMessage("phases.yaml: must be a mapping of keys to values");
    }

    @Test
    void aSecondDocumentInAFileIsRefused() throws IOException {
        write("parties.yaml", Files.readString(folder.resolve("parties.yaml")) + "---\nparties: []\n");
        assertThat(load()).hasMessageContaining("must be one YAML document");
    }

    @Test
    void anchorsAndAliasesAreRefused() throws IOException {
        write("parties.yaml", "parties:\n  - &one { id: claimant }\n  - *one\n");
        assertThat(load()).hasMessageContaining("parties.yaml: (line 2): must not use anchors and aliases");
    }

    @Test
    void aFileWithoutEndOfNestingIsRefused() throws IOException {
        write("parties.yaml", "parties: " + "[".repeat(5_000));
        assertThat(load()).hasMessageContaining("nested deeper");
    }

    @Test
    void aFileThatIsNotUtf8IsRefused() throws IOException {
        Files.write(folder.resolve("parties.yaml"), "parties: \u00fc".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(load()).hasMessage("parties.yaml: is not UTF-8 text");
    }

    @Test
    void phasesOutOfOrderAreRefused() throws IOException {
        String content = Files.readString(folder.resolve("rule-sets/expedited.yaml"));
        write("rule-sets/expedited.yaml", content
                .replace("phaseID: hearing", "phaseID: swapped")
                .replace("phaseID: deliberation", "phaseID: hearing")
                .replace("phaseID: swapped", "phaseID: deliberation"));
        assertThat(load()).hasMessageContaining("rule-sets/expedited.yaml: /phases").hasMessageContaining("order of phases.yaml");
    }

    @Test
    void aFolderWithoutRuleSetsIsRefused() throws IOException {
        for (String name : List.of("commercial", "expedited")) {
            Files.delete(folder.resolve("rule-sets/" + name + ".yaml"));
        }
        assertThat(load()).hasMessage("rule-sets: holds no definition");
    }

    private InvalidDefinition load() {
        return catchThrowableOfType(InvalidDefinition.class, () -> DefinitionsLoader.load(folder));
    }

    private void write(String file, String content) throws IOException {
        Files.writeString(folder.resolve(file), content);
    }
}
