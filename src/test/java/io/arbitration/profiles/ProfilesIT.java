package io.arbitration.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The two look-ups of public profiles. */
class ProfilesIT {

    private final RunningPlatform platform = RunningPlatform.shared();

    private Person someone(String firstName, String lastName) {
        return platform.signIn("profile-" + UUID.randomUUID() + "@example.com", firstName, lastName);
    }

    private Answer users(Person caller, List<String> ids) {
        return platform.post("/profiles/users/public-profiles", new JsonObject().put("userIDs", new JsonArray(ids)), caller.token());
    }

    private Answer organizations(Person caller, List<String> ids) {
        return platform.post("/profiles/organizations/public-profiles",
                new JsonObject().put("organizationIDs", new JsonArray(ids)), caller.token());
    }

    private String organization(Person founder, String name) {
        return platform.post("/auth/organizations/create", new JsonObject().put("name", name), founder.token())
                .object().getString("organizationID");
    }

    private static JsonObject profiles(JsonObject... profiles) {
        return new JsonObject().put("profiles", new JsonArray(List.of(profiles)));
    }

    private static JsonObject user(Person person, String firstName, String lastName) {
        return new JsonObject().put("id", person.id()).put("first_name", firstName).put("last_name", lastName);
    }

    @Test
    void profilesComeOnceEachInTheOrderOfFirstMention() {
        Person ada = someone("Ada", "Lindqvist");
        Person bo = someone("Bo", "Öberg \"the\\ 2nd\"");
        Answer answer = users(ada, List.of(bo.id(), ada.id(), bo.id().toUpperCase(), ada.id()));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).isEqualTo("application/json");
        assertThat(answer.object()).isEqualTo(profiles(user(bo, "Bo", "Öberg \"the\\ 2nd\""), user(ada, "Ada", "Lindqvist")));
    }

    @Test
    void unknownIdsAreLeftOut() {
        Person ada = someone("Ada", "Lindqvist");
        Answer answer = users(ada, List.of(UUID.randomUUID().toString(), "no-uuid", "1-1-1-1-1", ada.id()));
        assertThat(answer.object()).isEqualTo(profiles(user(ada, "Ada", "Lindqvist")));
    }

    @Test
    void aUserWhoIsNotPublicIsLeftOutUntilPublicAgain() {
        Person ada = someone("Ada", "Lindqvist");
        Person shy = someone("Shy", "Person");
        platform.post("/auth/users/update", new JsonObject().put("publicProfile", false), shy.token());
        assertThat(users(ada, List.of(shy.id(), ada.id())).object()).isEqualTo(profiles(user(ada, "Ada", "Lindqvist")));
        assertThat(users(shy, List.of(shy.id())).object()).isEqualTo(profiles());
        platform.post("/auth/users/update", new JsonObject().put("publicProfile", true), shy.token());
        assertThat(users(ada, List.of(shy.id())).object()).isEqualTo(profiles(user(shy, "Shy", "Person")));
    }

    @Test
    void organizationsShowTheirNameAndNothingElse() {
        Person founder = someone("Fo", "Under");
        Person other = someone("Oth", "Er");
        String one = organization(founder, "Lindqvist Shipping AB");
        String two = organization(other, "Harbour Cranes Ltd");
        Answer answer = organizations(other, List.of(two, UUID.randomUUID().toString(), founder.id(), one, two));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.object()).isEqualTo(profiles(
                new JsonObject().put("id", two).put("name", "Harbour Cranes Ltd"),
                new JsonObject().put("id", one).put("name", "Lindqvist Shipping AB")));
    }

    @Test
    void aThousandIdsAreAnsweredAndOneMoreIsRefused() {
        Person ada = someone("Ada", "Lindqvist");
        List<String> ids = new ArrayList<>(Collections.nCopies(999, UUID.randomUUID().toString()));
        ids.add(ada.id());
        assertThat(users(ada, ids).object()).isEqualTo(profiles(user(ada, "Ada", "Lindqvist")));
        ids.add(ada.id());
        Answer refused = users(ada, ids);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.sentence()).isEqualTo("userIDs: at most 1000 entries");
        Answer organizationsRefused = organizations(ada, ids);
        assertThat(organizationsRefused.status()).isEqualTo(400);
        assertThat(organizationsRefused.sentence()).isEqualTo("organizationIDs: at most 1000 entries");
    }

    @Test
    void aThousandUsersAreAnsweredInTheOrderAskedLessThoseWhoAreNotPublic() {
        Person ada = someone("Ada", "Lindqvist");
        String subject = "thousand-" + UUID.randomUUID();
        List<List<String>> users = new ArrayList<>(platform.rows("""
                insert into identity.users (user_id, provider, subject, email, first_name, last_name, public_profile, created, signed_in)
                select gen_random_uuid(), 'demo', ? || n, n || '@example.com', 'First ' || n, 'Last "' || n || '"', n % 10 <> 0, now(), now()
                from generate_series(1, 1000) n
                returning user_id, first_name, last_name, public_profile
                """, subject));
        Collections.shuffle(users, new java.util.Random(20261121));
        JsonArray expected = new JsonArray();
        users.stream().filter(user -> user.get(3).equals("t")).forEach(user -> expected.add(
                new JsonObject().put("id", user.get(0)).put("first_name", user.get(1)).put("last_name", user.get(2))));
        assertThat(expected).hasSize(900);
        assertThat(users(ada, users.stream().map(List::getFirst).toList()).object()).isEqualTo(new JsonObject().put("profiles", expected));
    }

    @Test
    void whatIsNoTextOrTooLongForAnIdIsRefused() {
        Person ada = someone("Ada", "Lindqvist");
        Answer number = platform.post("/profiles/users/public-profiles", new JsonObject().put("userIDs", new JsonArray().add(7)), ada.token());
        assertThat(number.sentence()).isEqualTo("userIDs/0: must be a string");
        assertThat(users(ada, List.of("x".repeat(37), "")).object().getJsonArray("profiles")).isEmpty();
        assertThat(platform.post("/profiles/users/public-profiles", new JsonObject(), ada.token()).sentence()).isEqualTo("userIDs: is required");
    }

    @Test
    void noIdsMeanNoProfiles() {
        Person ada = someone("Ada", "Lindqvist");
        assertThat(users(ada, List.of()).body()).isEqualTo("{\"profiles\":[]}");
        assertThat(organizations(ada, List.of()).body()).isEqualTo("{\"profiles\":[]}");
    }

    @Test
    void onlySignedInCallersMayAsk() {
        for (String path : List.of("/profiles/users/public-profiles", "/profiles/organizations/public-profiles")) {
            Answer answer = platform.post(path, new JsonObject(), null);
            assertThat(answer.status()).as(path).isEqualTo(401);
            assertThat(answer.sentence()).isEqualTo("missing or invalid access token");
        }
    }
}
