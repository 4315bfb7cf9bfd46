package io.arbitration.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.SignedJWT;
import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.Statement;
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

    private Answer permission(String verb, Person caller, String userId, String permission) {
        return platform.post("/auth/permissions/" + verb,
                new JsonObject().put("userID", userId).put("permission", permission), caller.token());
    }

    /** Runs a request, removes the person from the organization while the request waits for a lock, and answers what it came to. */
    private Answer removedMeanwhile(String organization, Person person, String lock, Supplier<Answer> request) throws Exception {
        try (Connection removing = platform.sql(); Statement sql = removing.createStatement()) {
            removing.setAutoCommit(false);
            sql.execute(lock);
            CompletableFuture<Answer> answer = CompletableFuture.supplyAsync(request, Thread::startVirtualThread);
            Await.until("the request waits", () -> !platform.rows("""
                    select 1 from pg_stat_activity where wait_event_type = 'Lock' and (query like '%identity.organizations%update%' or query like '%identity.clients%for update%')
                    """).isEmpty());
            sql.execute("delete from identity.memberships where organization_id = '%s' and user_id = '%s'".formatted(organization, person.id()));
            removing.commit();
            return answer.get();
        }
    }

    @Test
    void anAdministratorWhoIsRemovedWhileItsRequestWaitsGetsNoClientAndNoSecret() throws Exception {
        Person founder = someone();
        String organization = organizationOf(founder);
        String lock = "select 1 from identity.organizations where organization_id = '%s' for update".formatted(organization);
        JsonObject machine = new JsonObject().put("name", "Machine").put("permissions", new JsonArray()).put("organizationID", organization);
        Person second = someone();
        platform.join(organization, founder, second, true);
        Answer made = removedMeanwhile(organization, second, lock, () -> platform.post("/auth/clients/create", machine, second.token()));
        assertThat(made.status()).as(made.body()).isEqualTo(403);
        assertThat(made.header("Error-Code")).isEqualTo("organization.not-an-administrator");
        assertThat(platform.rows("select 1 from identity.clients where organization_id = ?::uuid", organization)).isEmpty();

        String client = platform.post("/auth/clients/create", machine, founder.token()).object().getString("clientID");
        String clientLock = "select 1 from identity.clients where client_id = '%s' for update".formatted(client);
        for (String operation : List.of("rotate-secret", "enable", "disable")) {
            Person third = someone();
            platform.join(organization, founder, third, true);
            Answer refused = removedMeanwhile(organization, third, clientLock, () -> platform.post("/auth/clients/" + operation,
                    new JsonObject().put("clientID", client), third.token()));
            assertThat(refused.status()).as(operation + refused.body()).isEqualTo(404);
        }
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
    void anOrganizationNeedsAName() {
        Person ada = someone();
        assertAnswer(platform.post("/auth/organizations/create", new JsonObject().put("name", "  "), ada.token()),
                400, "name: must not be blank");
        assertAnswer(platform.post("/auth/organizations/create", new JsonObject(), ada.token()), 400, "name: is required");
        assertThat(me(ada.token()).getString("organizationID")).isNull();
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

    /** Whoever changes clients over and over fills no node with what has ended, because nothing has. */
    @Test
    void aClientThatNeverGotATokenEndsNothingWhenItIsChanged() {
        Person administrator = platform.administrator();
        JsonObject client = client(SENDER);
        String session = sessionOf(client);
        JsonObject rotated = onClient("rotate-secret", administrator, named(client)).object().put("clientID", client.getString("clientID"));
        assertThat(onClient("disable", administrator, named(client)).status()).isEqualTo(200);
        assertThat(onClient("enable", administrator, named(client)).status()).isEqualTo(200);
        assertThat(ended(session)).isZero();
        String used = sessionOf(client);
        String token = clientToken(client.getString("clientID"), rotated.getString("clientSecret")).object().getString("accessToken");
        assertThat(onClient("rotate-secret", administrator, named(client)).status()).isEqualTo(200);
        assertThat(ended(used)).isEqualTo(1);
        assertThat(status(token)).isEqualTo(401);
    }

    private String sessionOf(JsonObject client) {
        return platform.rows("select session_id::text from identity.clients where client_id = ?::uuid", client.getString("clientID")).getFirst().getFirst();
    }

    private int ended(String session) {
        return platform.rows("select 1 from platform.revocations where subject_id = ?::uuid", session).size();
    }

    private Answer onClient(String operation, Person caller, JsonObject body) {
        return platform.post("/auth/clients/" + operation, body, caller.token());
    }

    private static JsonObject named(JsonObject client) {
        return new JsonObject().put("clientID", client.getString("clientID"));
    }

    private int status(String token) {
        return platform.post("/auth/users/me", (JsonObject) null, token).status();
    }

    @Test
    void aDisabledClientGetsNoTokensAndThoseItHasEnd() {
        JsonObject client = client(SENDER);
        Person administrator = platform.administrator();
        String token = clientToken(client.getString("clientID"), client.getString("clientSecret")).object().getString("accessToken");
        assertThat(status(token)).isEqualTo(404);
        assertAnswer(onClient("disable", administrator, named(client)), 200, "Client disabled.");
        assertThat(status(token)).isEqualTo(401);
        assertAnswer(clientToken(client.getString("clientID"), client.getString("clientSecret")), 401, "invalid client credentials");
        assertAnswer(onClient("enable", administrator, named(client)), 200, "Client enabled.");
        assertThat(status(token)).as("what ended stays ended").isEqualTo(401);
        assertThat(clientToken(client.getString("clientID"), client.getString("clientSecret")).status()).isEqualTo(200);
    }

    @Test
    void aRotatedSecretReplacesTheOldOneAtOnceOrAfterAWhile() {
        JsonObject client = client();
        String id = client.getString("clientID");
        Person administrator = platform.administrator();
        String second = onClient("rotate-secret", administrator, named(client).put("overlapSeconds", 3600)).object().getString("clientSecret");
        assertThat(clientToken(id, client.getString("clientSecret")).status()).as("the old one for an hour").isEqualTo(200);
        assertThat(clientToken(id, second).status()).isEqualTo(200);
        String token = clientToken(id, client.getString("clientSecret")).object().getString("accessToken");
        assertThat(status(token)).isEqualTo(404);
        String third = onClient("rotate-secret", administrator, named(client)).object().getString("clientSecret");
        assertThat(status(token)).as("of the first secret").isEqualTo(401);
        assertThat(clientToken(id, third).status()).isEqualTo(200);
        assertThat(clientToken(id, second).status()).as("replaced at once").isEqualTo(401);
        assertThat(clientToken(id, client.getString("clientSecret")).status()).isEqualTo(401);
        assertAnswer(onClient("rotate-secret", administrator, new JsonObject().put("clientID", "x")), 404, "client not found");
    }

    @Test
    void aPermissionOfAClientIsGrantedForItsNextTokenAndRevokedAtOnce() {
        JsonObject client = client();
        Person administrator = platform.administrator();
        assertAnswer(onClient("permissions/grant", administrator, named(client).put("permission", SUPER)), 200, "Permission granted.");
        assertAnswer(onClient("permissions/grant", administrator, named(client).put("permission", SUPER)), 200, "Permission granted.");
        String token = clientToken(client.getString("clientID"), client.getString("clientSecret")).object().getString("accessToken");
        assertThat(claim(token, "scope")).isEqualTo(SUPER);
        JsonObject find = new JsonObject().put("email", administrator.email());
        assertThat(platform.post("/auth/users/find", find, token).status()).isEqualTo(200);
        assertThat(held(administrator, SUPER)).anySatisfy(held -> assertThat(held.getString("clientID")).isEqualTo(client.getString("clientID")));
        assertAnswer(onClient("permissions/revoke", administrator, named(client).put("permission", SUPER)), 200, "Permission revoked.");
        assertAnswer(platform.post("/auth/users/find", find, token), 403, "permission required: " + SUPER);
        assertThat(status(token)).as("the token itself is good").isEqualTo(404);
        assertAnswer(onClient("permissions/grant", administrator, named(client).put("permission", "x")), 404, "permission not found");
    }

    private List<JsonObject> held(Person administrator, String permission) {
        List<JsonObject> all = new java.util.ArrayList<>();
        String cursor = null;
        do {
            JsonObject asked = new JsonObject().put("permission", permission).put("limit", 200);
            JsonObject page = platform.post("/auth/permissions/list", cursor == null ? asked : asked.put("cursor", cursor), administrator.token()).object();
            page.getJsonArray("permissions").forEach(one -> all.add((JsonObject) one));
            cursor = page.getString("nextCursor");
        } while (cursor != null);
        return all;
    }

    @Test
    void whoHoldsWhatIsListed() {
        Person administrator = platform.administrator();
        Person ada = someone();
        permission("grant", administrator, ada.id(), SENDER);
        JsonObject ofAda = platform.post("/auth/permissions/list", new JsonObject().put("userID", ada.id()), administrator.token()).object();
        assertThat(ofAda.getJsonArray("permissions")).hasSize(1);
        assertThat(ofAda.getJsonArray("permissions").getJsonObject(0).fieldNames()).containsExactlyInAnyOrder("userID", "permission", "since");
        assertThat(held(administrator, SENDER)).anySatisfy(held -> assertThat(held.getString("userID")).isEqualTo(ada.id()));
        assertThat(held(administrator, SUPER)).as("named by the configuration")
                .anySatisfy(held -> assertThat(held.getString("userID")).isEqualTo(administrator.id()));
        for (String nobody : List.of("x", UUID.randomUUID().toString())) {
            assertThat(platform.post("/auth/permissions/list", new JsonObject().put("userID", nobody), administrator.token()).object()
                    .getJsonArray("permissions")).isEmpty();
        }
    }

    @Test
    void administratorsMakeClientsOfTheirOrganizationWithoutPermissionsAndKeepThem() {
        Person ada = someone();
        Person eve = someone();
        String organization = organizationOf(ada);
        organizationOf(eve);
        JsonObject body = new JsonObject().put("name", "Feed").put("permissions", new JsonArray()).put("organizationID", organization);
        JsonObject client = onClient("create", ada, body).object();
        assertAnswer(onClient("create", ada, body.copy().put("permissions", new JsonArray().add(SENDER))), 403, "permission required: " + SUPER);
        JsonObject ofNone = new JsonObject().put("name", "Feed").put("permissions", new JsonArray());
        assertAnswer(onClient("create", ada, ofNone), 403, "permission required: " + SUPER);
        assertAnswer(onClient("create", eve, body), 403, "Not an administrator of this organization.");
        assertAnswer(onClient("create", ada, body.copy().put("organizationID", UUID.randomUUID().toString())), 404, "organization not found");

        JsonObject listed = onClient("list", ada, new JsonObject()).object().getJsonArray("clients").getJsonObject(0);
        assertThat(listed.fieldNames()).containsExactlyInAnyOrder("clientID", "name", "permissions", "organizationID", "created", "lastUsed", "disabled");
        assertThat(listed.getString("organizationID")).isEqualTo(organization);
        assertThat(listed.getString("lastUsed")).isNull();
        assertThat(onClient("list", eve, new JsonObject()).object().getJsonArray("clients")).isEmpty();
        for (String operation : List.of("rotate-secret", "disable", "enable")) {
            assertAnswer(onClient(operation, eve, named(client)), 404, "client not found");
            assertAnswer(onClient(operation, someone(), named(client)), 403, "permission required: " + SUPER);
        }
        String token = clientToken(client.getString("clientID"), client.getString("clientSecret")).object().getString("accessToken");
        assertThat(claim(token, "org")).isEqualTo(organization);
        assertThat(platform.post("/webhooks/events/list", new JsonObject(), token).status()).as("it reads events").isEqualTo(200);
        assertThat(platform.post("/webhooks/urls/create", new JsonObject().put("url", "http://127.0.0.1:4998/client"), token).status())
                .as("it manages webhooks").isEqualTo(200);
        assertThat(onClient("list", ada, new JsonObject()).object().getJsonArray("clients").getJsonObject(0).getString("lastUsed")).isNotNull();
        assertThat(onClient("disable", ada, named(client)).status()).isEqualTo(200);
        assertThat(platform.post("/webhooks/events/list", new JsonObject(), token).status()).isEqualTo(401);
    }

    // Users who are put out of use

    @Test
    void aDisabledUserIsOutEverywhereAndMaySignInAgainWhenEnabled() {
        Person administrator = platform.administrator();
        Person ada = someone();
        Person elsewhere = again(ada);
        JsonObject body = new JsonObject().put("userID", ada.id()).put("reason", "The mailbox was taken over.");
        assertAnswer(platform.post("/auth/users/disable", body, administrator.token()), 200, "User disabled.");
        assertThat(status(ada.token())).isEqualTo(401);
        assertThat(status(elsewhere.token())).isEqualTo(401);
        assertThat(platform.post("/auth/sessions/refresh", new JsonObject().put("refreshToken", ada.refreshToken()), null).status()).isEqualTo(401);
        String idToken = platform.post("/auth/demo/id-token",
                new JsonObject().put("email", ada.email()).put("first_name", "Ada").put("last_name", "L"), null).object().getString("idToken");
        Answer refused = platform.post("/auth/authenticate/demo", new JsonObject().put("idToken", idToken), null);
        assertAnswer(refused, 403, "user disabled");
        assertThat(refused.header("Error-Code")).isEqualTo("user.disabled");
        assertThat(platform.rows("select disabled_reason from identity.users where user_id = ?::uuid", ada.id()))
                .containsExactly(List.of("The mailbox was taken over."));
        assertAnswer(platform.post("/auth/users/enable", new JsonObject().put("userID", ada.id()), administrator.token()), 200, "User enabled.");
        assertThat(status(ada.token())).as("what ended stays ended").isEqualTo(401);
        assertThat(status(again(ada).token())).isEqualTo(200);
        assertAnswer(platform.post("/auth/users/disable", body.copy().put("userID", "x"), administrator.token()), 404, "user not found");
    }

    @Test
    void aUserIsFoundByEmail() {
        Person ada = someone();
        Person administrator = platform.administrator();
        assertThat(platform.post("/auth/users/find", new JsonObject().put("email", ada.email().toUpperCase(java.util.Locale.ROOT)), administrator.token())
                .object().getString("userID")).isEqualTo(ada.id());
        assertAnswer(platform.post("/auth/users/find", new JsonObject().put("email", "nobody@example.org"), administrator.token()), 404, "user not found");
    }

    // Sessions of others

    @Test
    void sessionsAreListedAndEndedOneByOne() {
        Person ada = someone();
        Person elsewhere = again(ada);
        Person administrator = platform.administrator();
        JsonArray sessions = platform.post("/auth/sessions/list", new JsonObject(), elsewhere.token()).object().getJsonArray("sessions");
        assertThat(sessions).hasSize(2);
        JsonObject first = sessions.getJsonObject(0);
        assertThat(first.fieldNames()).containsExactlyInAnyOrder("sessionID", "created", "lastUsed", "provider", "address", "current");
        assertThat(first.getString("provider")).isEqualTo("demo");
        assertThat(first.getString("address")).isNotEmpty();
        assertThat(sessions).extracting(one -> ((JsonObject) one).getBoolean("current")).containsExactly(false, true);
        JsonObject ended = new JsonObject().put("sessionID", first.getString("sessionID"));
        assertAnswer(platform.post("/auth/sessions/revoke", ended, someone().token()), 404, "session not found");
        assertAnswer(platform.post("/auth/sessions/revoke", ended, elsewhere.token()), 200, "Session revoked.");
        assertThat(status(ada.token())).isEqualTo(401);
        assertThat(status(elsewhere.token())).isEqualTo(200);
        assertThat(platform.post("/auth/sessions/list", new JsonObject(), elsewhere.token()).object().getJsonArray("sessions")).hasSize(1);

        JsonObject ofAda = new JsonObject().put("userID", ada.id());
        assertAnswer(platform.post("/auth/sessions/list", ofAda, someone().token()), 403, "permission required: " + SUPER);
        assertAnswer(platform.post("/auth/sessions/revoke", ofAda, someone().token()), 403, "permission required: " + SUPER);
        assertThat(platform.post("/auth/sessions/list", ofAda, administrator.token()).object().getJsonArray("sessions")).hasSize(1);
        assertAnswer(platform.post("/auth/sessions/revoke", ofAda, administrator.token()), 200, "Session revoked.");
        assertThat(status(elsewhere.token())).isEqualTo(401);
        assertAnswer(platform.post("/auth/sessions/revoke", ended.copy().put("all", true), administrator.token()), 400,
                "body: one of all, sessionID and userID");
    }
}
