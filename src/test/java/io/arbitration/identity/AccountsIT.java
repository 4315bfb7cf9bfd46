package io.arbitration.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.SignedJWT;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.text.ParseException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Profiles, organizations, permissions and machine clients over HTTP. */
class AccountsIT {

    private static final String SENDER = "emails.email.sender";
    private static final String SUPER = "admin.platform.super";

    private final RunningPlatform platform = RunningPlatform.shared();

    private Person someone() {
        return platform.signIn("account-" + UUID.randomUUID() + "@example.com", "Ada", "Lindqvist");
    }

    private JsonObject me(String token) {
        Answer answer = platform.post("/auth/users/me", (JsonObject) null, token);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.object();
    }

    private Person again(Person person) {
        return platform.signIn(person.email(), "Ada", "Lindqvist");
    }

    private Answer update(Person person, JsonObject body) {
        return platform.post("/auth/users/update", body, person.token());
    }

    private String organizationOf(Person person) {
        return platform.post("/auth/organizations/create", new JsonObject().put("name", "Lindqvist Shipping AB"), person.token())
                .object().getString("organizationID");
    }

    private Answer add(Person caller, String organizationId, String userId) {
        return platform.post("/auth/organizations/members/add",
                new JsonObject().put("organizationID", organizationId).put("userID", userId), caller.token());
    }

    private Answer remove(Person caller, String organizationId, String userId) {
        return platform.post("/auth/organizations/members/remove",
                new JsonObject().put("organizationID", organizationId).put("userID", userId), caller.token());
    }

    private Answer permission(String verb, Person caller, String userId, String permission) {
        return platform.post("/auth/permissions/" + verb,
                new JsonObject().put("userID", userId).put("permission", permission), caller.token());
    }

    private Answer clientToken(String id, String secret) {
        return platform.post("/auth/clients/token", new JsonObject().put("clientID", id).put("clientSecret", secret), null);
    }

    private JsonObject client(String... permissions) {
        return platform.post("/auth/clients/create",
                new JsonObject().put("name", "Archive").put("permissions", new JsonArray(List.of(permissions))),
                platform.administrator().token()).object();
    }

    private static String claim(String token, String name) {
        try {
            return SignedJWT.parse(token).getJWTClaimsSet().getStringClaim(name);
        } catch (ParseException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private static void assertAnswer(Answer answer, int status, String sentence) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.sentence()).isEqualTo(sentence);
    }

    private static List<Answer> atOnce(int times, Supplier<Answer> call) {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return Stream.generate(() -> CompletableFuture.supplyAsync(call, threads)).limit(times).toList().stream()
                    .map(CompletableFuture::join).toList();
        }
    }

    // Profile

    @Test
    void aProfileIsUpdatedInPart() {
        Person ada = someone();
        assertAnswer(update(ada, new JsonObject().put("first_name", " Augusta ")), 200, "Profile updated successfully.");
        assertThat(me(ada.token()).getString("first_name")).isEqualTo("Augusta");
        assertThat(me(ada.token()).getString("last_name")).isEqualTo("Lindqvist");
        assertAnswer(update(ada, new JsonObject()), 200, "Profile updated successfully.");
        assertThat(me(again(ada).token()).getString("first_name")).as("the provider does not take it back").isEqualTo("Augusta");
    }

    @Test
    void aNameOutOfBoundsIsRefusedAndChangesNothing() {
        Person ada = someone();
        assertAnswer(update(ada, new JsonObject().put("first_name", "")), 400, "first_name: at least 1 character");
        assertAnswer(update(ada, new JsonObject().put("last_name", "x".repeat(101))), 400, "last_name: at most 100 characters");
        assertAnswer(update(ada, new JsonObject().put("first_name", "Eve").put("last_name", " \t ")), 400, "last_name: must not be blank");
        assertAnswer(update(ada, new JsonObject().put("first_name", "A\nB")), 400, "first_name: must not contain control characters");
        assertAnswer(update(ada, new JsonObject().put("publicProfile", "yes")), 400, "publicProfile: must be true or false");
        assertThat(me(ada.token()).getString("first_name")).isEqualTo("Ada");
    }

    // Organizations

    @Test
    void theCreatorOfAnOrganizationIsItsMemberAndTheNextTokenNamesIt() {
        Person ada = someone();
        String organization = organizationOf(ada);
        assertThat(me(ada.token()).getString("organizationID")).isEqualTo(organization);
        assertThat(claim(ada.token(), "org")).isNull();
        assertThat(claim(again(ada).token(), "org")).isEqualTo(organization);
        assertAnswer(platform.post("/auth/organizations/create", new JsonObject().put("name", "Second"), ada.token()),
                409, "user already belongs to an organization");
    }

    @Test
    void anOrganizationNeedsAName() {
        Person ada = someone();
        assertAnswer(platform.post("/auth/organizations/create", new JsonObject().put("name", "  "), ada.token()),
                400, "name: must not be blank");
        assertAnswer(platform.post("/auth/organizations/create", new JsonObject(), ada.token()), 400, "name: is required");
        assertThat(me(ada.token()).getString("organizationID")).isNull();
    }

    @Test
    void anAdministratorAddsAndRemovesMembers() {
        Person ada = someone();
        Person bob = someone();
        String organization = organizationOf(ada);
        assertAnswer(add(ada, organization, bob.id()), 200, "Member added.");
        assertAnswer(add(ada, organization, bob.id()), 409, "user already belongs to an organization");
        assertThat(me(bob.token()).getString("organizationID")).isEqualTo(organization);
        assertAnswer(remove(ada, organization, bob.id()), 200, "Member removed.");
        assertAnswer(remove(ada, organization, bob.id()), 404, "member not found");
        assertThat(me(bob.token()).getString("organizationID")).isNull();
        organizationOf(bob);
    }

    @Test
    void onlyAdministratorsOfTheOrganizationMayChangeItsMembers() {
        Person ada = someone();
        Person bob = someone();
        Person eve = someone();
        String organization = organizationOf(ada);
        organizationOf(eve);
        add(ada, organization, bob.id());
        String sentence = "Not an administrator of this organization.";
        assertAnswer(add(bob, organization, someone().id()), 403, sentence);
        assertAnswer(remove(bob, organization, ada.id()), 403, sentence);
        assertAnswer(add(eve, organization, someone().id()), 403, sentence);
        assertAnswer(remove(eve, organization, bob.id()), 403, sentence);
        assertAnswer(add(platform.administrator(), organization, someone().id()), 403, sentence);
    }

    @Test
    void unknownIdsAreNotFound() {
        Person ada = someone();
        String organization = organizationOf(ada);
        for (String unknown : List.of(UUID.randomUUID().toString(), "x", "1-1-1-1-1", "'; drop table", ada.id())) {
            assertAnswer(add(ada, unknown, someone().id()), 404, "organization not found");
            assertAnswer(remove(ada, unknown, ada.id()), 404, "organization not found");
        }
        for (String unknown : List.of(UUID.randomUUID().toString(), "x", organization)) {
            assertAnswer(add(ada, organization, unknown), 404, "user not found");
            assertAnswer(remove(ada, organization, unknown), 404, "member not found");
        }
    }

    @Test
    void theLastAdministratorStays() {
        Person ada = someone();
        Person bob = someone();
        String organization = organizationOf(ada);
        assertAnswer(remove(ada, organization, ada.id()), 409, "the last administrator cannot be removed");
        assertThat(platform.post("/auth/organizations/members/add", new JsonObject()
                .put("organizationID", organization).put("userID", bob.id()).put("isAdministrator", true), ada.token()).status())
                .isEqualTo(200);
        assertAnswer(remove(ada, organization, ada.id()), 200, "Member removed.");
        assertAnswer(remove(bob, organization, bob.id()), 409, "the last administrator cannot be removed");
    }

    @Test
    void twoAdministratorsWhoRemoveEachOtherAtOnceDoNotBothSucceed() {
        for (int round = 0; round < 5; round++) {
            Person ada = someone();
            Person bob = someone();
            String organization = organizationOf(ada);
            platform.post("/auth/organizations/members/add", new JsonObject()
                    .put("organizationID", organization).put("userID", bob.id()).put("isAdministrator", true), ada.token());
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var first = CompletableFuture.supplyAsync(() -> remove(ada, organization, bob.id()), threads);
                var second = CompletableFuture.supplyAsync(() -> remove(bob, organization, ada.id()), threads);
                assertThat(List.of(first.join().status(), second.join().status())).containsExactlyInAnyOrder(200, 403);
            }
        }
    }

    @Test
    void aMemberAddedManyTimesAtOnceIsAddedOnce() {
        Person ada = someone();
        Person bob = someone();
        Person eve = someone();
        String adas = organizationOf(ada);
        String eves = organizationOf(eve);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Integer> statuses = Stream.iterate(0, i -> i + 1).limit(12)
                    .map(i -> CompletableFuture.supplyAsync(
                            () -> i % 2 == 0 ? add(ada, adas, bob.id()) : add(eve, eves, bob.id()), threads))
                    .toList().stream().map(CompletableFuture::join).map(Answer::status).toList();
            assertThat(statuses).containsOnlyOnce(200).containsOnly(200, 409);
        }
    }

    @Test
    void organizationsCreatedAtOnceByOneUserAreOne() {
        Person ada = someone();
        List<Answer> answers = atOnce(8, () ->
                platform.post("/auth/organizations/create", new JsonObject().put("name", "Race"), ada.token()));
        assertThat(answers.stream().map(Answer::status)).containsOnlyOnce(200).containsOnly(200, 409);
    }

    @Test
    void anIdempotencyKeyMakesOneOrganization() {
        Person ada = someone();
        JsonObject body = new JsonObject().put("name", "Once");
        Answer first = platform.post("/auth/organizations/create", body, ada.token(), "Idempotency-Key", "create");
        Answer second = platform.post("/auth/organizations/create", body, ada.token(), "Idempotency-Key", "create");
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
    }

    // Permissions

    @Test
    void aGrantCountsFromTheNextTokenOnAndARevocationAtOnce() {
        Person administrator = platform.administrator();
        Person ada = someone();
        assertAnswer(permission("grant", administrator, ada.id(), SUPER), 200, "Permission granted.");
        assertAnswer(permission("grant", administrator, ada.id(), SUPER), 200, "Permission granted.");
        assertThat(me(ada.token()).getJsonArray("permissions")).containsExactly(SUPER);
        assertAnswer(permission("grant", ada, ada.id(), SENDER), 403, "permission required: " + SUPER);
        Person promoted = again(ada);
        assertAnswer(permission("grant", promoted, ada.id(), SENDER), 200, "Permission granted.");
        assertAnswer(permission("revoke", administrator, ada.id(), SUPER), 200, "Permission revoked.");
        assertAnswer(permission("grant", promoted, ada.id(), SENDER), 403, "permission required: " + SUPER);
        assertThat(me(promoted.token()).getJsonArray("permissions")).containsExactly(SENDER);
        assertThat(claim(again(ada).token(), "scope")).isEqualTo(SENDER);
    }

    @Test
    void aPermissionGrantedAgainInTheSameSecondCountsForNewTokensAndNotForOld() {
        Person administrator = platform.administrator();
        Person ada = someone();
        for (int round = 0; round < 3; round++) {
            permission("grant", administrator, ada.id(), SUPER);
            Person before = again(ada);
            assertThat(permission("grant", before, ada.id(), SENDER).status()).isEqualTo(200);
            permission("revoke", administrator, ada.id(), SUPER);
            permission("grant", administrator, ada.id(), SUPER);
            Person after = again(ada);
            assertThat(permission("grant", after, ada.id(), SENDER).status()).as("new token").isEqualTo(200);
            assertThat(permission("grant", before, ada.id(), SENDER).status()).as("old token").isEqualTo(403);
        }
    }

    @Test
    void aRefreshCarriesWhatWasGrantedSince() {
        Person ada = someone();
        permission("grant", platform.administrator(), ada.id(), SENDER);
        JsonObject tokens = platform.post("/auth/sessions/refresh", new JsonObject().put("refreshToken", ada.refreshToken()), null).object();
        assertThat(claim(tokens.getString("accessToken"), "scope")).isEqualTo(SENDER);
    }

    @Test
    void noTokenKeepsAPermissionThatIsRevokedWhileItIsMade() {
        Person administrator = platform.administrator();
        for (int round = 0; round < 10; round++) {
            Person ada = someone();
            permission("grant", administrator, ada.id(), SUPER);
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var signingIn = Stream.generate(() -> CompletableFuture.supplyAsync(() -> again(ada), threads)).limit(4).toList();
                var revoking = CompletableFuture.supplyAsync(() -> permission("revoke", administrator, ada.id(), SUPER), threads);
                assertThat(revoking.join().status()).isEqualTo(200);
                signingIn.forEach(person -> assertThat(permission("grant", person.join(), ada.id(), SENDER).status()).isEqualTo(403));
            }
        }
    }

    @Test
    void onlyKnownPermissionsOfKnownUsersAreGrantedOrRevoked() {
        Person administrator = platform.administrator();
        for (String verb : List.of("grant", "revoke")) {
            assertAnswer(permission(verb, administrator, someone().id(), "admin.platform.*"), 404, "permission not found");
            assertAnswer(permission(verb, administrator, UUID.randomUUID().toString(), SENDER), 404, "user not found");
            assertAnswer(permission(verb, administrator, "x", SENDER), 404, "user not found");
            assertAnswer(permission(verb, someone(), administrator.id(), SUPER), 403, "permission required: " + SUPER);
        }
        assertAnswer(permission("revoke", administrator, someone().id(), SENDER), 200, "Permission revoked.");
    }

    @Test
    void whatTheConfigurationGivesOnlyTheConfigurationTakes() {
        Person administrator = platform.administrator();
        assertAnswer(permission("revoke", administrator, administrator.id(), SUPER),
                409, "the configuration names this user as a super administrator");
        assertThat(permission("revoke", administrator, administrator.id(), SENDER).status()).isEqualTo(200);
        assertThat(permission("grant", administrator, administrator.id(), SUPER).status()).as("still one").isEqualTo(200);
    }

    // Clients

    @Test
    void aClientGetsATokenWithItsPermissionsAndNoRefreshToken() {
        JsonObject client = client(SENDER, SUPER);
        Answer answer = clientToken(client.getString("clientID"), client.getString("clientSecret"));
        assertThat(answer.object().fieldNames()).containsExactlyInAnyOrder("accessToken", "refreshToken", "validForSeconds");
        assertThat(answer.object().getString("refreshToken")).isEmpty();
        String token = answer.object().getString("accessToken");
        assertThat(claim(token, "scope").split(" ")).containsExactlyInAnyOrder(SENDER, SUPER);
        assertThat(claim(token, "sub")).isEqualTo(client.getString("clientID"));
        assertThat(platform.post("/auth/permissions/grant",
                new JsonObject().put("userID", someone().id()).put("permission", SENDER), token).status()).isEqualTo(200);
    }

    @Test
    void aClientHasNoProfileAndNoOrganization() {
        JsonObject client = client(SUPER);
        String token = clientToken(client.getString("clientID"), client.getString("clientSecret")).object().getString("accessToken");
        assertAnswer(platform.post("/auth/users/me", (JsonObject) null, token), 404, "user not found");
        assertAnswer(platform.post("/auth/users/update", new JsonObject(), token), 404, "user not found");
        assertAnswer(platform.post("/auth/organizations/create", new JsonObject().put("name", "N"), token), 404, "user not found");
    }

    @Test
    void wrongCredentialsOfAClientAreRefused() {
        JsonObject client = client();
        String id = client.getString("clientID");
        String secret = client.getString("clientSecret");
        for (List<String> wrong : List.of(
                List.of(id, secret + "x"), List.of(id, secret.substring(1)), List.of(id, "x"), List.of("x", secret),
                List.of(UUID.randomUUID().toString(), secret), List.of(someone().id(), secret),
                List.of(client().getString("clientID"), secret))) {
            Answer answer = clientToken(wrong.getFirst(), wrong.getLast());
            assertAnswer(answer, 401, "invalid client credentials");
            assertThat(answer.header("Error-Code")).isEqualTo("client.invalid-credentials");
            assertThat(answer.header("WWW-Authenticate")).startsWith("Bearer");
        }
        assertThat(clientToken(id, secret).status()).isEqualTo(200);
    }

    @Test
    void endingTheSessionOfAClientEndsItsTokensButNotTheClient() {
        JsonObject client = client(SUPER);
        Supplier<String> token = () ->
                clientToken(client.getString("clientID"), client.getString("clientSecret")).object().getString("accessToken");
        String one = token.get();
        String two = token.get();
        for (JsonObject body : List.of(new JsonObject(), new JsonObject().put("all", true))) {
            String used = token.get();
            assertThat(platform.post("/auth/sessions/revoke", body, used).status()).isEqualTo(200);
            assertThat(platform.post("/auth/users/me", (JsonObject) null, used).status()).isEqualTo(401);
        }
        assertThat(platform.post("/auth/users/me", (JsonObject) null, one).status()).isEqualTo(401);
        assertThat(platform.post("/auth/users/me", (JsonObject) null, two).status()).isEqualTo(401);
        assertThat(platform.post("/auth/users/me", (JsonObject) null, token.get()).status()).as("a new token").isEqualTo(404);
    }

    @Test
    void clientsAreMadeBySuperAdministratorsFromKnownPermissions() {
        JsonObject body = new JsonObject().put("name", "Archive").put("permissions", new JsonArray().add(SENDER));
        assertAnswer(platform.post("/auth/clients/create", body, someone().token()), 403, "permission required: " + SUPER);
        String administrator = platform.administrator().token();
        assertAnswer(platform.post("/auth/clients/create", body.copy().put("permissions", new JsonArray().add("x")), administrator),
                404, "permission not found");
        assertAnswer(platform.post("/auth/clients/create",
                body.copy().put("permissions", new JsonArray().add(SENDER).add(SENDER)), administrator), 400,
                "permissions: entries must not repeat");
        assertAnswer(platform.post("/auth/clients/create", body.copy().put("name", " "), administrator), 400, "name: must not be blank");
    }
}
