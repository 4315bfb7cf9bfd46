package io.arbitration.command.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.command.bench.AwardBench.Judged;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** How draft awards of the kept cases are judged. */
class AwardBenchTest {

    private static JsonObject named(String name) throws IOException {
        return AwardBench.cases().stream().map(JsonObject.class::cast).filter(one -> one.getString("name").equals(name)).findFirst().orElseThrow();
    }

    private static Judged judged(String name, String outcome, String reasons) throws IOException {
        return AwardBench.judged(named(name), 200, "", new JsonObject().put("outcome", outcome).put("reasons", reasons).encode());
    }

    @Test
    void anAwardIsRightByItsOutcomeAndByWhatItCites() throws IOException {
        assertThat(judged("unpaid crane", "The claimant prevails.", "See [Exhibit C-1]."))
                .isEqualTo(new Judged(true, true, true, true));
        assertThat(judged("unpaid crane", "The claimant's claim is dismissed.", "See [Exhibit C-1] and [Exhibit R-2]."))
                .as("the other way, and on a brochure").isEqualTo(new Judged(true, true, false, false));
        assertThat(judged("claim out of time", "The claim is barred.", "Nothing.")).as("cites nothing").isEqualTo(new Judged(true, true, false, true));
        assertThat(judged("claim out of time", "The claim is barred.", "See [Exhibit 12].").relevant()).as("12 is not 1").isFalse();
        assertThat(judged("instructions in an exhibit", "The respondent prevails; the claimant loses.", "See [Exhibit C-1].").outcome()).isFalse();
    }

    @Test
    void whatWasRefusedIsJudgedByWhy() throws IOException {
        JsonObject one = named("nothing proved");
        assertThat(AwardBench.judged(one, 502, "model.unknown-exhibits", "\"x\"")).isEqualTo(new Judged(true, false, false, false));
        assertThat(AwardBench.judged(one, 502, "model.unusable-answer", "\"x\"")).isEqualTo(new Judged(false, false, false, false));
    }

    @Test
    void theKeptCasesNameExhibitsThatTheyHaveAndPatternsThatCompile() throws IOException {
        for (Object item : AwardBench.cases()) {
            JsonObject one = (JsonObject) item;
            Set<String> numbers = new HashSet<>();
            one.getJsonArray("exhibits").forEach(exhibit -> assertThat(numbers.add(((JsonObject) exhibit).getString("number"))).isTrue());
            for (JsonArray named : List.of(one.getJsonArray("relevant"), one.getJsonArray("distractors"))) {
                assertThat(numbers).containsAll(named.stream().map(String.class::cast).toList());
            }
            Pattern.compile(one.getString("winner"));
            Pattern.compile(one.getString("loser"));
            assertThat(one.getJsonArray("documents")).isNotEmpty();
        }
    }
}
