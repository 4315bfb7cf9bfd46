package io.arbitration.identity.organizations;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.SignedJWT;
import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.WholeDay;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Organizations, who belongs to them, how people come and leave, and what their sessions act for. */
class OrganizationsIT {

    private static final String NOT_AN_ADMINISTRATOR = "Not an administrator of this organization.";

    private final RunningPlatform platform = RunningPlatform.shared();

    private Person someone() {
        return platform.signIn("member-" + UUID.randomUUID() + "@example.com", "Ada", "Lindqvist");
    }

    private Person again(Person person) {
        return platform.signIn(person.email(), "Ada", "Lindqvist");
    }

    private Answer call(Person caller, String operation, JsonObject body) {
        return platform.post("/auth" + operation, body, caller.token());
    }

    private String organizationOf(Person person) {
        return ok(call(person, "/organizations/create", new JsonObject().put("name", "Lindqvist Shipping AB"))).getString("organizationID");
    }

    private static JsonObject ok(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.object();
    }

    private static JsonObject of(String organizationId) {
        return new JsonObject().put("organizationID", organizationId);
    }

    private static JsonObject of(String organizationId, Person person) {
        return of(organizationId).put("userID", person.id());
    }

    private String actsFor(Person person) {
        return ok(platform.post("/auth/users/me", (JsonObject) null, person.token())).getString("organizationID");
    }

    private Answer remove(Person caller, String organizationId, String userId) {
        return call(caller, "/organizations/members/remove", of(organizationId).put("userID", userId));
    }

    private String invited(Person administrator, String organizationId, Person person) {
        return ok(call(administrator, "/organizations/invitations/create", of(organizationId, person))).getString("invitationID");
    }

    private Answer answer(Person person, String answer, String invitationId) {
        return call(person, "/organizations/invitations/" + answer, new JsonObject().put("invitationID", invitationId));
    }

    private JsonArray invitations(Person person, JsonObject body) {
        return ok(call(person, "/organizations/invitations/list", body)).getJsonArray("invitations");
    }

    private static void assertAnswer(Answer answer, int status, String sentence) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.sentence()).isEqualTo(sentence);
    }

    private static String claim(String token, String name) {
        try {
            return SignedJWT.parse(token).getJWTClaimsSet().getStringClaim(name);
        } catch (ParseException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private static List<Answer> atOnce(int times, Supplier<Answer> call) {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return Stream.generate(() -> CompletableFuture.supplyAsync(call, threads)).limit(times).toList().stream()
                    .map(CompletableFuture::join).toList();
        }
    }

    // What a session acts for

    @Test
    void theSessionThatCreatesAnOrganizationActsForItAtOnceWithTheSameToken() {
        Person ada = someone();
        Person elsewhere = again(ada);
        assertThat(actsFor(ada)).isNull();
        String organization = organizationOf(ada);
        assertThat(claim(ada.token(), "org")).as("the claim is of before").isNull();
        assertThat(actsFor(ada)).isEqualTo(organization);
        assertThat(actsFor(elsewhere)).as("another session acts for what it acted for").isNull();
        assertThat(claim(again(ada).token(), "org")).isEqualTo(organization);
    }

    @Test
    void aUserBelongsToSeveralAndASessionActsForOneOrForNone() {
        Person ada = someone();
        String first = organizationOf(ada);
        String second = organizationOf(ada);
        assertThat(actsFor(ada)).as("which acts for one already").isEqualTo(first);
        assertThat(ok(call(ada, "/organizations/list", new JsonObject())).getJsonArray("organizations"))
                .extracting(joined -> ((JsonObject) joined).getString("organizationID")).containsExactly(first, second);

        JsonObject tokens = ok(call(ada, "/sessions/organization", of(second)));
        assertThat(tokens.fieldNames()).containsExactlyInAnyOrder("accessToken", "refreshToken", "validForSeconds");
        assertThat(claim(tokens.getString("accessToken"), "org")).isEqualTo(second);
        assertThat(actsFor(ada)).as("with the token of before").isEqualTo(second);
        assertThat(actsFor(again(ada))).as("the next session acts for what its user last acted for").isEqualTo(second);

        JsonObject none = ok(call(ada, "/sessions/organization", new JsonObject().putNull("organizationID")));
        assertThat(claim(none.getString("accessToken"), "org")).isNull();
        assertThat(actsFor(ada)).isNull();
        assertThat(ok(platform.post("/auth/sessions/refresh", new JsonObject().put("refreshToken", none.getString("refreshToken")), null))
                .getString("accessToken")).satisfies(token -> assertThat(claim(token, "org")).isNull());
    }

    @Test
    void aSessionStartsForTheOnlyOrganizationAndOtherwiseForNone() {
        Person ada = someone();
        Person bob = someone();
        String first = organizationOf(ada);
        platform.join(first, ada, bob, false);
        ok(call(bob, "/sessions/organization", new JsonObject().putNull("organizationID")));
        platform.rows("update identity.users set acted_for = null where user_id = ?::uuid returning 1", bob.id());
        assertThat(actsFor(again(bob))).as("its only one").isEqualTo(first);
        Person cal = someone();
        for (Person founder : List.of(someone(), someone())) {
            platform.join(organizationOf(founder), founder, cal, false);
        }
        platform.rows("update identity.users set acted_for = null where user_id = ?::uuid returning 1", cal.id());
        assertThat(actsFor(again(cal))).as("none of several").isNull();
    }

    @Test
    void aSessionActsForNobodyElsesOrganization() {
        Person ada = someone();
        String others = organizationOf(someone());
        Answer refused = call(ada, "/sessions/organization", of(others));
        assertAnswer(refused, 403, "Not a member of this organization.");
        assertThat(refused.header("Error-Code")).isEqualTo("organization.not-a-member");
        for (String unknown : List.of(UUID.randomUUID().toString(), "x", "")) {
            assertAnswer(call(ada, "/sessions/organization", of(unknown)), 404, "organization not found");
        }
        assertThat(call(ada, "/sessions/organization", new JsonObject()).sentence()).isEqualTo("organizationID: is required");
        assertAnswer(platform.post("/auth/sessions/organization", of(others), platform.machine()), 404, "session not found");
    }

    @Test
    void aPageActsForNoOtherOrganizationThanItNames() {
        Person ada = someone();
        String first = organizationOf(ada);
        JsonObject wanted = new JsonObject().put("title", "Named by its page").put("ruleSet", "commercial");
        assertThat(ok(platform.post("/cases/cases/create", wanted, ada.token(), "Acting-Organization", first)).getString("caseID")).isNotEmpty();
        ok(platform.post("/webhooks/urls/list", new JsonObject(), ada.token(), "Acting-Organization", first));
        String second = organizationOf(ada);
        ok(call(ada, "/sessions/organization", of(second)));
        for (String named : List.of(first, "none", "", second + "0")) {
            for (String operation : List.of("/cases/cases/create", "/webhooks/urls/list", "/webhooks/deliveries/list", "/webhooks/events/list")) {
                Answer refused = platform.post(operation, wanted, ada.token(), "Acting-Organization", named);
                assertAnswer(refused, 403, "The session acts for another organization.");
                assertThat(refused.header("Error-Code")).isEqualTo("session.another-organization");
            }
        }
        Answer unregistered = platform.post("/webhooks/urls/create", new JsonObject().put("url", "https://hooks.example.org/of-another"), ada.token(), "Acting-Organization", first);
        assertAnswer(unregistered, 403, "The session acts for another organization.");
        assertThat(ok(platform.post("/webhooks/urls/list", new JsonObject(), ada.token(), "Acting-Organization", second)).getJsonArray("urls")).isEmpty();
        ok(platform.post("/cases/cases/create", wanted.copy().put("organizationID", first), ada.token(), "Acting-Organization", first));
        ok(platform.post("/cases/cases/create", wanted.copy().putNull("organizationID"), ada.token(), "Acting-Organization", first));
        ok(call(ada, "/sessions/organization", new JsonObject().putNull("organizationID")));
        ok(platform.post("/cases/cases/create", wanted, ada.token(), "Acting-Organization", "none"));
        assertThat(ok(platform.post("/cases/cases/list", new JsonObject(), ada.token())).getJsonArray("cases")).as("what was refused opened none").hasSize(4);
    }

    // Members

    @Test
    void nobodyBecomesAMemberWithoutAccepting() {
        Person ada = someone();
        Person bob = someone();
        String organization = organizationOf(ada);
        Answer gone = call(ada, "/organizations/members/add", of(organization, bob));
        assertAnswer(gone, 410, "invite members instead");
        assertThat(gone.header("Error-Code")).isEqualTo("membership.by-invitation");
        assertThat(gone.header("Deprecation")).isEqualTo("@1795219200");
        assertThat(gone.header("Sunset")).isEqualTo("Tue, 30 Nov 2027 00:00:00 GMT");
        assertThat(gone.header("Link")).contains("rel=\"deprecation\"");
        invited(ada, organization, bob);
        assertThat(actsFor(again(bob))).isNull();
        assertThat(ok(call(ada, "/organizations/members/list", of(organization))).getJsonArray("members")).hasSize(1);
    }

    @Test
    void membersSeeEachOtherAndNobodyElseDoes() {
        Person ada = someone();
        Person bob = someone();
        String organization = organizationOf(ada);
        platform.join(organization, ada, bob, false);
        JsonArray members = ok(call(bob, "/organizations/members/list", of(organization))).getJsonArray("members");
        assertThat(members).extracting(member -> ((JsonObject) member).getString("userID")).containsExactly(ada.id(), bob.id());
        assertThat(members.getJsonObject(0).getBoolean("isAdministrator")).isTrue();
        assertThat(Instant.parse(members.getJsonObject(1).getString("since"))).isCloseTo(Instant.now(), within());
        assertAnswer(call(someone(), "/organizations/members/list", of(organization)), 403, "Not a member of this organization.");
        assertAnswer(call(ada, "/organizations/members/list", of(UUID.randomUUID().toString())), 404, "organization not found");
    }

    private static org.assertj.core.data.TemporalUnitOffset within() {
        return new org.assertj.core.data.TemporalUnitWithinOffset(5, java.time.temporal.ChronoUnit.MINUTES);
    }

    @Test
    void listsComeInPages() {
        Person ada = someone();
        List<String> created = Stream.generate(() -> organizationOf(ada)).limit(3).toList();
        JsonObject first = ok(call(ada, "/organizations/list", new JsonObject().put("limit", 2)));
        assertThat(first.getJsonArray("organizations")).extracting(one -> ((JsonObject) one).getString("organizationID"))
                .containsExactly(created.get(0), created.get(1));
        JsonObject last = ok(call(ada, "/organizations/list", new JsonObject().put("limit", 2).put("cursor", first.getString("nextCursor"))));
        assertThat(last.getJsonArray("organizations")).extracting(one -> ((JsonObject) one).getString("organizationID"))
                .containsExactly(created.get(2));
        assertThat(last.containsKey("nextCursor")).isTrue();
        assertThat(last.getString("nextCursor")).isNull();
        for (String broken : List.of("x", "AAAA", "_".repeat(32), "A".repeat(100))) {
            assertAnswer(call(ada, "/organizations/list", new JsonObject().put("cursor", broken)), 400, "cursor: must be the nextCursor of the page before");
        }
    }

    @Test
    void whoIsRemovedActsForItNoMoreAtOnce() {
        Person ada = someone();
        Person bob = someone();
        String organization = organizationOf(ada);
        platform.join(organization, ada, bob, false);
        assertThat(actsFor(bob)).isEqualTo(organization);
        assertAnswer(remove(ada, organization, bob.id()), 200, "Member removed.");
        assertAnswer(remove(ada, organization, bob.id()), 404, "member not found");
        assertThat(actsFor(bob)).isNull();
        assertThat(platform.post("/webhooks/deliveries/list", new JsonObject(), bob.token()).status()).isEqualTo(403);
        platform.join(organization, ada, someone(), false);
        assertThat(actsFor(bob)).as("nor when others come").isNull();
    }

    @Test
    void onlyAdministratorsOfTheOrganizationChangeItsMembers() {
        Person ada = someone();
        Person bob = someone();
        Person eve = someone();
        String organization = organizationOf(ada);
        organizationOf(eve);
        platform.join(organization, ada, bob, false);
        for (Person other : List.of(bob, eve, platform.administrator())) {
            assertAnswer(remove(other, organization, ada.id()), 403, NOT_AN_ADMINISTRATOR);
            assertAnswer(call(other, "/organizations/invitations/create", of(organization, someone())), 403, NOT_AN_ADMINISTRATOR);
            assertAnswer(call(other, "/organizations/invitations/list", of(organization)), 403, NOT_AN_ADMINISTRATOR);
        }
        for (Person other : List.of(bob, eve)) {
            assertAnswer(call(other, "/organizations/administrators/grant", of(organization, bob)), 403, NOT_AN_ADMINISTRATOR);
            assertAnswer(call(other, "/organizations/administrators/revoke", of(organization, ada)), 403, NOT_AN_ADMINISTRATOR);
        }
    }

    @Test
    void unknownIdsAreNotFound() {
        Person ada = someone();
        String organization = organizationOf(ada);
        for (String unknown : List.of(UUID.randomUUID().toString(), "x", "1-1-1-1-1", "'; drop table", ada.id())) {
            assertAnswer(remove(ada, unknown, ada.id()), 404, "organization not found");
            assertAnswer(call(ada, "/organizations/invitations/create", of(unknown, someone())), 404, "organization not found");
            assertAnswer(call(ada, "/organizations/administrators/grant", of(unknown).put("userID", ada.id())), 404, "organization not found");
        }
        for (String unknown : List.of(UUID.randomUUID().toString(), "x", organization)) {
            assertAnswer(remove(ada, organization, unknown), 404, "member not found");
            assertAnswer(call(ada, "/organizations/administrators/grant", of(organization).put("userID", unknown)), 404, "member not found");
            assertAnswer(call(ada, "/organizations/invitations/create", of(organization).put("userID", unknown)), 404, "user not found");
            assertAnswer(answer(ada, "accept", unknown), 404, "invitation not found");
        }
    }

    @Test
    void theLastAdministratorStays() {
        Person ada = someone();
        Person bob = someone();
        String organization = organizationOf(ada);
        platform.join(organization, ada, bob, false);
        assertAnswer(remove(ada, organization, ada.id()), 409, "the last administrator cannot be removed");
        assertAnswer(call(ada, "/organizations/leave", of(organization)), 409, "the last administrator cannot leave");
        assertAnswer(call(ada, "/organizations/administrators/revoke", of(organization, ada)), 409, "the last administrator cannot be removed");
        assertAnswer(call(ada, "/organizations/administrators/grant", of(organization, bob)), 200, "Administrator added.");
        assertAnswer(call(ada, "/organizations/leave", of(organization)), 200, "Organization left.");
        assertAnswer(call(ada, "/organizations/leave", of(organization)), 403, "Not a member of this organization.");
        assertThat(actsFor(ada)).isNull();
        assertAnswer(remove(bob, organization, bob.id()), 409, "the last administrator cannot be removed");
    }

    @Test
    void aSuperAdministratorGivesAnOrganizationAnotherAdministrator() {
        Person ada = someone();
        Person bob = someone();
        String organization = organizationOf(ada);
        platform.join(organization, ada, bob, false);
        Person administrator = platform.administrator();
        assertAnswer(call(administrator, "/organizations/administrators/grant", of(organization, bob)), 200, "Administrator added.");
        assertAnswer(call(administrator, "/organizations/administrators/revoke", of(organization, ada)), 200, "Administrator removed.");
        assertAnswer(call(administrator, "/organizations/administrators/revoke", of(organization, bob)), 409, "the last administrator cannot be removed");
        assertAnswer(remove(bob, organization, ada.id()), 200, "Member removed.");
    }

    @Test
    void twoAdministratorsWhoRemoveEachOtherAtOnceDoNotBothSucceed() {
        for (int round = 0; round < 5; round++) {
            Person ada = someone();
            Person bob = someone();
            String organization = organizationOf(ada);
            platform.join(organization, ada, bob, true);
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var first = CompletableFuture.supplyAsync(() -> remove(ada, organization, bob.id()), threads);
                var second = CompletableFuture.supplyAsync(() -> call(bob, "/organizations/leave", of(organization)), threads);
                assertThat(List.of(first.join().status(), second.join().status())).as("one leaves, by either way")
                        .isIn(List.of(200, 403), List.of(404, 200), List.of(403, 200));
                assertThat(platform.rows("select count(*) from identity.memberships where organization_id = ?::uuid and is_administrator", organization))
                        .containsExactly(List.of("1"));
            }
        }
    }

    @Test
    void anOrganizationIsToldNothingMoreThroughSomebodyWhoHasLeftItNorThroughSomebodyWhoNeverJoined() {
        Person ada = someone();
        Person bob = someone();
        Person maya = someone();
        String organization = organizationOf(ada);
        String ofManager = organizationOf(maya);
        Person stranger = someone();
        String hoping = organizationOf(stranger);
        invited(stranger, hoping, bob);
        platform.join(organization, ada, bob, false);
        String caseId = ok(platform.post("/cases/cases/create", new JsonObject().put("title", "Cranes v. Quarry").put("ruleSet", "commercial"), bob.token()))
                .getString("caseID");
        JsonObject manager = new JsonObject().put("caseID", caseId).put("userID", maya.id()).put("partyID", "caseManager");
        assertThat(platform.post("/cases/cases/participants/add", manager, platform.administrator().token()).status()).isEqualTo(200);
        Await.until("its organization is told of the case", () -> events(ada).contains("case_created"));
        assertAnswer(call(bob, "/organizations/leave", of(organization)), 200, "Organization left.");
        assertThat(platform.post("/cases/cases/close", new JsonObject().put("caseID", caseId).put("reason", "settled"), maya.token()).status()).isEqualTo(200);
        Await.until("the organization " + ofManager + " is told", () -> events(maya).contains("case_closed"));
        assertThat(events(ada)).contains("case_created").doesNotContain("case_closed");
        assertThat(events(stranger)).isEmpty();
    }

    private List<String> events(Person person) {
        return ok(platform.post("/webhooks/events/list", new JsonObject(), person.token())).getJsonArray("events").stream()
                .map(event -> ((JsonObject) event).getString("event")).toList();
    }

    // Invitations

    @Test
    void anInvitationIsAcceptedByWhomItIsForAndByNobodyElse() {
        Person ada = someone();
        Person bob = someone();
        Person eve = someone();
        String organization = organizationOf(ada);
        String invitation = invited(ada, organization, bob);
        JsonObject listed = invitations(bob, new JsonObject()).getJsonObject(0);
        assertThat(listed.getString("invitationID")).isEqualTo(invitation);
        assertThat(listed.getString("organizationName")).isEqualTo("Lindqvist Shipping AB");
        assertThat(listed.getString("invitedBy")).isEqualTo(ada.id());
        assertThat(listed.containsKey("email")).isFalse();
        assertThat(Duration.between(Instant.parse(listed.getString("created")), Instant.parse(listed.getString("expires")))).isEqualTo(Duration.ofDays(14));
        for (String way : List.of("accept", "decline", "revoke")) {
            assertAnswer(answer(eve, way, invitation), 404, "invitation not found");
        }
        assertThat(invitations(eve, new JsonObject())).isEmpty();
        assertAnswer(answer(ada, "accept", invitation), 404, "invitation not found");
        assertAnswer(answer(bob, "accept", invitation), 200, "Membership accepted.");
        assertThat(actsFor(bob)).as("with the same token").isEqualTo(organization);
        for (String way : List.of("accept", "decline")) {
            assertAnswer(answer(bob, way, invitation), 409, "invitation is already answered");
        }
        assertAnswer(answer(ada, "revoke", invitation), 409, "invitation is already answered");
        assertAnswer(call(ada, "/organizations/invitations/create", of(organization, bob)), 409, "user already belongs to this organization");
    }

    @Test
    void anInvitationByEmailIsForWhoeverHasItVerifiedAndSaysNothingOfWhoDoes() {
        Person ada = someone();
        Person bob = someone();
        String organization = organizationOf(ada);
        JsonObject known = ok(call(ada, "/organizations/invitations/create", of(organization).put("email", bob.email().toUpperCase(java.util.Locale.ROOT))));
        JsonObject unknown = ok(call(ada, "/organizations/invitations/create", of(organization).put("email", UUID.randomUUID() + "@example.com")));
        assertThat(known.fieldNames()).isEqualTo(unknown.fieldNames());
        assertThat(invitations(ada, of(organization))).extracting(one -> ((JsonObject) one).containsKey("email")).containsExactly(true, true);
        assertAnswer(answer(someone(), "accept", known.getString("invitationID")), 404, "invitation not found");
        assertAnswer(answer(bob, "accept", known.getString("invitationID")), 200, "Membership accepted.");
        // Whom an administrator has as a member already is not told apart either.
        ok(call(ada, "/organizations/invitations/create", of(organization).put("email", bob.email())));
    }

    @Test
    void theSameAgainRenewsAnInvitation() {
        Person ada = someone();
        Person bob = someone();
        String organization = organizationOf(ada);
        String first = invited(ada, organization, bob);
        platform.rows("update identity.invitations set expires_at = now() - interval '1 second' where invitation_id = ?::uuid returning 1", first);
        assertAnswer(answer(bob, "accept", first), 409, "invitation has expired");
        assertThat(invitations(bob, new JsonObject())).isEmpty();
        assertThat(invited(ada, organization, bob)).isEqualTo(first);
        assertThat(invitations(bob, new JsonObject())).hasSize(1);
        assertAnswer(answer(bob, "decline", first), 200, "Invitation declined.");
        assertThat(invited(ada, organization, bob)).as("one that was answered is another's").isNotEqualTo(first);
    }

    @Test
    void aRevokedInvitationIsAnsweredAndOneWhoseInviterMayNotInviteIsNone() {
        Person ada = someone();
        Person bob = someone();
        Person cal = someone();
        String organization = organizationOf(ada);
        String revoked = invited(ada, organization, bob);
        assertAnswer(answer(ada, "revoke", revoked), 200, "Invitation revoked.");
        assertAnswer(answer(bob, "accept", revoked), 409, "invitation is already answered");

        platform.join(organization, ada, cal, true);
        String ofCal = invited(cal, organization, bob);
        call(ada, "/organizations/administrators/revoke", of(organization, cal));
        assertAnswer(answer(bob, "accept", ofCal), 404, "invitation not found");
        assertThat(invitations(bob, new JsonObject())).isEmpty();
        call(ada, "/organizations/administrators/grant", of(organization, cal));
        assertThat(invitations(bob, new JsonObject())).hasSize(1);
        assertThat(call(platform.administrator(), "/users/disable", new JsonObject().put("userID", cal.id()).put("reason", "Left.")).status()).isEqualTo(200);
        assertAnswer(answer(bob, "accept", ofCal), 404, "invitation not found");
        assertThat(actsFor(bob)).isNull();
    }

    @Test
    void invitationsThatAreOverForLongEnoughAreForgotten() {
        Person ada = someone();
        String organization = organizationOf(ada);
        String old = invited(ada, organization, someone());
        String younger = invited(ada, organization, someone());
        String ends = "update identity.invitations set expires_at = now() - make_interval(days => ?) where invitation_id = ?::uuid returning 1";
        platform.rows(ends, 91, old);
        platform.rows(ends, 89, younger);
        Await.result(new InvitationRepository(platform.database()).deleteBefore(Instant.now().minus(Duration.ofDays(90)), 100));
        assertThat(platform.rows("select invitation_id from identity.invitations where organization_id = ?::uuid", organization)).containsExactly(List.of(younger));
    }

    @Test
    void invitationsAreForOneUserOrOneEmail() {
        Person ada = someone();
        String organization = organizationOf(ada);
        String sentence = "body: exactly one of userID and email is required";
        assertAnswer(call(ada, "/organizations/invitations/create", of(organization)), 400, sentence);
        assertAnswer(call(ada, "/organizations/invitations/create", of(organization, ada).put("email", "x@example.com")), 400, sentence);
        assertThat(call(ada, "/organizations/invitations/create", of(organization).put("email", "no email")).status()).isEqualTo(400);
    }

    @Test
    void openInvitationsOfAnOrganizationAndThoseOfADayAreBounded() {
        WholeDay.in(ZoneOffset.UTC);
        Person ada = someone();
        String organization = organizationOf(ada);
        platform.rows("""
                insert into identity.invitations (invitation_id, organization_id, email, is_administrator, invited_by, created, expires_at)
                select gen_random_uuid(), ?::uuid, 'person-' || n || '@example.org', false, ?::uuid, now(), now() + interval '1 day'
                from generate_series(1, 100) n returning 1
                """, organization, ada.id());
        JsonObject next = of(organization).put("email", "next@example.org");
        Answer full = call(ada, "/organizations/invitations/create", next);
        assertAnswer(full, 429, "at most 100 invitations of an organization can be open");
        assertThat(Integer.parseInt(full.header("Retry-After"))).isBetween(1, 86_400);
        assertThat(call(ada, "/organizations/invitations/create", of(organization).put("email", "PERSON-7@example.org")).status())
                .as("renewing one adds none").isEqualTo(200);
        String other = organizationOf(ada);
        platform.rows("update identity.invitation_days set sent = 49 where user_id = ?::uuid returning 1", ada.id());
        assertThat(call(ada, "/organizations/invitations/create", of(other).put("email", "last@example.org")).status()).isEqualTo(200);
        for (int i = 0; i < 2; i++) {
            Answer tired = call(ada, "/organizations/invitations/create", of(other).put("email", "last@example.org"));
            assertAnswer(tired, 429, "a user can send at most 50 invitations a day");
            assertThat(Integer.parseInt(tired.header("Retry-After"))).isBetween(1, 86_400);
        }
    }

    @Test
    void whoIsInvitedIsToldByEmailWithALinkAndAgainWhenItIsRenewed() {
        Person ada = someone();
        String organization = organizationOf(ada);
        String email = UUID.randomUUID() + "@example.org";
        JsonObject invitation = of(organization).put("email", email);
        String id = ok(call(ada, "/organizations/invitations/create", invitation)).getString("invitationID");
        Await.until("an email to " + email, () -> !emails(email).isEmpty());
        List<String> sent = emails(email).getFirst();
        assertThat(sent.get(0)).isEqualTo("Lindqvist Shipping AB invites you");
        assertThat(sent.get(1)).contains("/?invitation=" + id, "Ada Lindqvist");
        ok(call(ada, "/organizations/invitations/create", invitation));
        Await.until("another email to " + email, () -> emails(email).size() == 2);
        Await.until("nothing more is to be told of it", () -> platform.rows("""
                select 1 from platform.queue_items q join identity.invitation_emails e on e.email_id = q.key
                where q.queue = 'organization_invitations' and e.invitation_id = ?::uuid
                """, id).isEmpty());
    }

    private List<List<String>> emails(String to) {
        return platform.rows("select subject, text from emails.emails where ? = any (to_mailboxes)", to);
    }

    @Test
    void anInvitationAcceptedManyTimesAtOnceMakesOneMember() {
        Person ada = someone();
        Person bob = someone();
        String organization = organizationOf(ada);
        String invitation = invited(ada, organization, bob);
        List<Answer> answers = atOnce(8, () -> answer(bob, "accept", invitation));
        assertThat(answers.stream().map(Answer::status)).containsOnlyOnce(200).containsOnly(200, 409);
        assertThat(platform.rows("select count(*) from identity.memberships where user_id = ?::uuid", bob.id())).containsExactly(List.of("1"));
    }

    @Test
    void whileTheVersionBeforeStillRunsItsMembersAndOursAreTheSame() {
        Person ada = someone();
        Person bob = someone();
        String organization = organizationOf(ada);
        platform.join(organization, ada, bob, false);
        assertThat(platform.rows("select user_id from identity.members where organization_id = ?::uuid order by is_administrator desc", organization))
                .containsExactly(List.of(ada.id()), List.of(bob.id()));
        platform.rows("delete from identity.members where user_id = ?::uuid returning 1", bob.id());
        assertThat(actsFor(bob)).isNull();
        platform.rows("insert into identity.members (user_id, organization_id, is_administrator) values (?::uuid, ?::uuid, true) returning 1", bob.id(), organization);
        assertThat(actsFor(again(bob))).isEqualTo(organization);
        remove(ada, organization, bob.id());
        assertThat(platform.rows("select 1 from identity.members where user_id = ?::uuid", bob.id())).isEmpty();
    }
}
