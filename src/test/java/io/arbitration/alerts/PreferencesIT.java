package io.arbitration.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The alert preferences of a user. */
class PreferencesIT {

    private final RunningPlatform platform = RunningPlatform.shared();

    private Person someone() {
        return platform.signIn("alerts-" + UUID.randomUUID() + "@example.com", "Al", "Ert");
    }

    private Answer update(Person person, JsonObject change) {
        return platform.post("/alerts/preferences/update", change, person.token());
    }

    private JsonObject view(Person person) {
        Answer answer = platform.post("/alerts/preferences/view", (JsonObject) null, person.token());
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.object();
    }

    private static JsonObject preferences(boolean docketFilings, boolean caseCreated) {
        return new JsonObject().put("docket_filings", docketFilings).put("case_created", caseCreated);
    }

    @Test
    void bothAreTrueUntilTheUserChangesThem() {
        assertThat(view(someone())).isEqualTo(preferences(true, true));
    }

    @Test
    void anOmittedFieldKeepsItsValue() {
        Person person = someone();
        Answer answer = update(person, new JsonObject().put("case_created", false));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.sentence()).isEqualTo("Preferences updated successfully.");
        assertThat(view(person)).isEqualTo(preferences(true, false));
        update(person, new JsonObject().put("docket_filings", false));
        assertThat(view(person)).isEqualTo(preferences(false, false));
        update(person, new JsonObject());
        assertThat(view(person)).isEqualTo(preferences(false, false));
        update(person, preferences(true, true));
        assertThat(view(person)).isEqualTo(preferences(true, true));
    }

    @Test
    void theyAreThoseOfTheCallerAlone() {
        Person one = someone();
        Person other = someone();
        update(one, preferences(false, false));
        assertThat(view(other)).isEqualTo(preferences(true, true));
    }

    @Test
    void twoUpdatesOfDifferentFieldsAtOnceLoseNeither() {
        Person person = someone();
        CompletableFuture<Answer> one = CompletableFuture.supplyAsync(() -> update(person, new JsonObject().put("docket_filings", false)));
        CompletableFuture<Answer> other = CompletableFuture.supplyAsync(() -> update(person, new JsonObject().put("case_created", false)));
        assertThat(List.of(one.join().status(), other.join().status())).containsOnly(200);
        assertThat(view(person)).isEqualTo(preferences(false, false));
    }

    @Test
    void aValueThatIsNotABooleanIsRefusedAndChangesNothing() {
        Person person = someone();
        for (Object value : new Object[] {"true", 1, new JsonObject()}) {
            Answer answer = update(person, new JsonObject().put("case_created", false).put("docket_filings", value));
            assertThat(answer.status()).as(answer.body()).isEqualTo(400);
            assertThat(answer.sentence()).isEqualTo("docket_filings: must be true or false");
        }
        assertThat(update(person, new JsonObject().putNull("docket_filings")).status()).as("as if it were left out").isEqualTo(200);
        assertThat(view(person)).isEqualTo(preferences(true, true));
    }

    @Test
    void onlySignedInCallersHavePreferences() {
        assertThat(platform.post("/alerts/preferences/view", (JsonObject) null, null).status()).isEqualTo(401);
        assertThat(platform.post("/alerts/preferences/update", new JsonObject(), null).status()).isEqualTo(401);
    }
}
