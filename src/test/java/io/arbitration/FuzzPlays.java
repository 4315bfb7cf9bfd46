package io.arbitration;

import static io.arbitration.OpenCase.APPROVED_DOCUMENT;

import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.platform.reading.SamplePdfs;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What exists on a platform, as members for the bodies of requests by operation, with the token of somebody who may make them:
 * what {@code fuzz/hooks.py} reads. What is used up by a request is there several times, and nothing of it ends the case of the rest.
 */
final class FuzzPlays {

    private static final int ONCE_COUNT = 4;

    private final RunningPlatform platform;
    private final OpenCase open;
    private final JsonObject plays = new JsonObject();

    private FuzzPlays(RunningPlatform platform) {
        this.platform = platform;
        this.open = OpenCase.on(platform);
    }

    static JsonObject on(RunningPlatform platform) {
        FuzzPlays all = new FuzzPlays(platform);
        all.ofCases();
        all.ofParticipants();
        all.ofFilings();
        all.ofTheDocket();
        all.ofEvidence();
        all.ofNotices();
        all.ofIdentity();
        all.ofWebhooks();
        all.ofMessages();
        all.ofTexts();
        return all.plays;
    }

    private void ofCases() {
        again("createCase", open.claimant(), new JsonObject().put("ruleSet", "commercial").putNull("organizationID"));
        again("listCases", open.claimant(), new JsonObject().putNull("cursor"));
        again("listMailTypeFields", open.claimant(), new JsonObject().put("mailType", "hearingNotice"));
        for (String operation : new String[] {"viewCase", "listParticipants", "exportCase"}) {
            again(operation, open.claimant(), inCase());
        }
        again("listCaseActions", open.claimant(), inCase());
        again("listCaseActions", open.manager(), inCase());
        again("listCaseActions", open.respondent(), inCase());
        again("listAuditEntries", open.manager(), inCase().putNull("cursor"));
        again("advancePhase", open.manager(), new JsonObject().put("caseID", open.another().caseId()).putNull("phaseID"));
        once("advanceSandboxClock", open.claimant(), this::aDayInASandbox);
        once("requestDeadlineExtension", open.claimant(), () -> open.another().moreTime());
        once("withdrawDeadlineExtension", open.claimant(), this::extension);
        once("decideDeadlineExtension", open.manager(), () -> extension().put("granted", true).putNull("until"));
        once("closeCase", open.manager(), () -> new JsonObject().put("caseID", open.another().caseId()));
    }

    private void ofParticipants() {
        once("addParticipant", open.manager(), () -> inCase().put("userID", somebody().id()).put("partyID", "respondent").put("isPrimary", false));
        once("removeParticipant", open.manager(), () -> {
            Person somebody = somebody();
            open.add(open.manager(), somebody, "respondent", false);
            return inCase().put("userID", somebody.id()).putNull("partyID");
        });
        again("restrictParticipant", open.manager(), inCase().put("userID", open.arbitrator().id()));
        JsonObject hearing = inCase().put("title", "Hearing").put("start", NextYear.at("03-01T09:00:00Z")).put("durationMinutes", 60).put("timeZone", "Europe/Stockholm");
        Supplier<JsonObject> scheduled = () -> inCase().put("hearingID",
                must(platform.post("/cases/hearings/create", hearing, open.manager().token())).object().getString("hearingID"));
        again("createHearing", open.manager(), hearing);
        again("viewHearing", open.claimant(), scheduled.get());
        again("updateHearing", open.manager(), scheduled.get().put("start", NextYear.at("03-02T09:00:00Z")).put("timeZone", "Europe/Stockholm"));
        once("cancelHearing", open.manager(), scheduled);
        again("listHearings", open.claimant(), inCase());
        again("listHearings", open.claimant(), new JsonObject());
        again("createCalendarFeed", open.respondent(), new JsonObject().put("name", "Telephone"));
        again("listCalendarFeeds", open.respondent(), new JsonObject());
        once("revokeCalendarFeed", open.colleague(), () -> new JsonObject().put("feedID",
                must(platform.post("/cases/calendar/feeds/create", new JsonObject(), open.colleague().token())).object().getString("feedID")));
        JsonObject offer = inCase().put("partyID", "arbitrator").put("isPrimary", false);
        once("createCaseInvitation", open.manager(), () -> offer.copy().put("email", UUID.randomUUID() + "@example.org"));
        again("listCaseInvitations", open.manager(), inCase());
        again("listCaseInvitations", open.claimant(), new JsonObject());
        once("revokeCaseInvitation", open.manager(), () -> invited(offer, somebody()));
        // Whoever plays as claimant is invited to other cases, of which it takes part in none.
        once("declineCaseInvitation", open.claimant(), () -> invited(ofAnotherCase(), open.claimant()));
        once("acceptCaseInvitation", open.claimant(), () -> invited(ofAnotherCase(), open.claimant()));
    }

    private JsonObject aDayInASandbox() {
        return new JsonObject().put("caseID", open.sandbox().caseId()).put("to", Instant.now().plus(Duration.ofDays(1)).toString());
    }

    /** A request for more time that waits to be decided. */
    private JsonObject extension() {
        JsonObject asked = open.another().moreTime();
        String extensionId = must(platform.post("/cases/deadlines/extensions/request", asked, open.claimant().token())).object().getString("extensionID");
        return new JsonObject().put("caseID", asked.getString("caseID")).put("extensionID", extensionId);
    }

    private JsonObject ofAnotherCase() {
        return new JsonObject().put("caseID", OpenCase.on(platform).caseId()).put("partyID", "arbitrator");
    }

    private JsonObject invited(JsonObject offer, Person person) {
        JsonObject sent = must(platform.post("/cases/invitations/create", offer.copy().put("email", person.email()), platform.administrator().token())).object();
        return new JsonObject().put("invitationID", sent.getString("invitationID"));
    }

    private void ofFilings() {
        JsonObject fields = new JsonObject().put("fields", OpenCase.completeFields(APPROVED_DOCUMENT)).putNull("supersedes").putNull("parentEntryID");
        again("createFiling", open.claimant(), inCase().put("documentID", APPROVED_DOCUMENT).mergeIn(fields)
                .put("sealed", new JsonObject().put("visibleTo", new JsonArray().add("respondent")).put("reason", "Trade secrets.")));
        again("updateFiling", open.claimant(), inCase().put("filingID", draft()).mergeIn(fields));
        JsonObject submitted = inCase().put("filingID", submitted());
        JsonObject docketed = inCase().put("filingID", docketedFiling());
        for (JsonObject filing : new JsonObject[] {inCase().put("filingID", draft()), submitted, docketed}) {
            again("viewFiling", open.claimant(), filing);
            again("checkDocument", open.claimant(), filing);
        }
        JsonObject file = withFile(draft());
        again("listFilingFiles", open.claimant(), inCase().put("filingID", file.getString("filingID")));
        again("updateFilingFile", open.claimant(), file.copy().put("title", "Our claim").put("position", 1));
        again("downloadFilingFile", open.claimant(), file.copy().put("original", false));
        once("removeFilingFile", open.claimant(), () -> withFile(draft()));
        again("issueFilingReceipt", open.claimant(), submitted);
        again("issueFilingReceipt", open.claimant(), docketed);
        again("listFilings", open.claimant(), inCase().putNull("cursor").putNull("documentID").putNull("partyID"));
        again("listFilings", open.manager(), inCase().putNull("cursor").put("documentID", APPROVED_DOCUMENT).put("partyID", "claimant").putNull("state"));
        again("listFilingsPendingApproval", open.manager(), inCase());
        once("submitDocument", open.claimant(), () -> inCase().put("filingID", draft()));
        once("withdrawDocument", open.claimant(), () -> inCase().put("filingID", draft()));
        once("approveDocument", open.manager(), () -> inCase().put("filingID", submitted()));
        once("rejectDocument", open.manager(), () -> inCase().put("filingID", submitted()));
    }

    private void ofTheDocket() {
        JsonObject entry = inCase().put("entryID", open.docketed(new JsonObject()));
        again("viewDocketEntry", open.respondent(), entry);
        again("renderDocketEntry", open.respondent(), entry);
        again("verifyDocket", open.claimant(), inCase());
        JsonObject sealing = entry.copy().put("visibleTo", new JsonArray().add("respondent")).put("reason", "It names a witness.");
        again("sealDocketEntry", open.manager(), sealing);
        once("unsealDocketEntry", open.arbitrator(), () -> {
            JsonObject other = inCase().put("entryID", open.docketed(new JsonObject())).put("visibleTo", new JsonArray()).put("reason", "It names a witness.");
            must(platform.post("/api/docket/entries/seal", other, open.manager().token()));
            other.remove("visibleTo");
            return other;
        });
        JsonObject unfiltered = inCase().putNull("documentID").putNull("partyID").putNull("phaseID").putNull("afterEntryID");
        again("listDocketEntries", open.claimant(), unfiltered);
        again("listRecentEntries", open.claimant(), new JsonObject().put("since", "2026-01-01T00:00:00Z").putNull("cursor"));
        again("listDocketEntries", open.arbitrator(), unfiltered.copy().put("documentID", APPROVED_DOCUMENT).put("partyID", "claimant")
                .put("afterEntryID", open.docket(open.claimant()).getJsonObject(0).getString("entryID")));
    }

    private void ofEvidence() {
        again("searchCases", open.claimant(), inCase().put("query", "availability \"in May\" -quarry").putNull("cursor").putNull("kinds"));
        again("searchCases", open.respondent(), new JsonObject().put("query", "cranes").putNull("caseID").put("kinds", new JsonArray().add("case").add("exhibit")).putNull("cursor"));
        JsonObject upload = inCase().put("uploadID", must(Form.of(open.caseId(), "other", "A note.").file("note.txt", "text/plain", "Noted.")
                .post(platform, open.claimant().token())).object().getString("uploadID"));
        again("createEvidenceUpload", open.claimant(), inCase().put("categoryID", "other").put("file", "Noted again."));
        again("listEvidenceUploads", open.claimant(), inCase());
        again("viewEvidenceUpload", open.claimant(), upload);
        again("downloadEvidenceUpload", open.claimant(), upload);
    }

    private void ofNotices() {
        JsonObject notice = inCase().put("entryID", open.docket(open.claimant()).getJsonObject(0).getString("entryID")).put("mailType", "docketNotice")
                .put("recipients", new JsonArray().add(new JsonObject().put("userID", open.respondent().id()))
                        .add(new JsonObject().put("email", "served-" + UUID.randomUUID() + "@example.org")));
        String noticeId = must(platform.post("/api/service-of-notice/send", notice, open.claimant().token())).object().getString("noticeID");
        again("sendNotice", open.claimant(), notice.copy().putNull("images").putNull("json"));
        again("sendNotice", open.claimant(), notice.copy().putNull("images").put("json", new JsonObject().put("message", "Served.")));
        again("listNotices", open.claimant(), inCase());
        again("proveNotice", open.claimant(), inCase().put("noticeID", noticeId));
    }

    private void ofIdentity() {
        once("authenticateWithIdentityProvider", null, new JsonObject().put("idp", "demo"), () -> new JsonObject().put("idToken",
                must(platform.post("/auth/demo/id-token", new JsonObject().put("email", UUID.randomUUID() + "@example.org")
                        .put("first_name", "Ida").put("last_name", "Token"), null)).object().getString("idToken")));
        // Not the claimant, who administers the organization of the webhooks: whoever joins others and leaves them acts for one of those.
        Person owner = somebody();
        String organization = must(platform.post("/auth/organizations/create", new JsonObject().put("name", "Cranes"), owner.token())).object().getString("organizationID");
        once("removeOrganizationMember", owner, () -> member(organization, owner, false));
        once("grantOrganizationAdministrator", owner, () -> member(organization, owner, false));
        once("revokeOrganizationAdministrator", owner, () -> member(organization, owner, true));
        JsonObject inOrganization = new JsonObject().put("organizationID", organization);
        again("listOrganizations", owner, new JsonObject().putNull("cursor"));
        again("listOrganizationMembers", owner, inOrganization);
        once("createOrganizationInvitation", owner, () -> inOrganization.copy().put("email", UUID.randomUUID() + "@example.org").putNull("userID"));
        once("createOrganizationInvitation", owner, () -> inOrganization.copy().put("userID", somebody().id()));
        again("listOrganizationInvitations", owner, inOrganization);
        again("listOrganizationInvitations", owner, new JsonObject());
        once("revokeOrganizationInvitation", owner, () -> invitation(organization, owner, somebody()));
        // Whoever plays as owner answers invitations of somebody else's organizations.
        once("declineOrganizationInvitation", owner, () -> invitation(ofAnother(), owner));
        once("acceptOrganizationInvitation", owner, () -> invitation(ofAnother(), owner));
        once("leaveOrganization", owner, () -> {
            Organization joined = ofAnother();
            platform.join(joined.id(), joined.administrator(), owner, false);
            return new JsonObject().put("organizationID", joined.id());
        });
        once("chooseOrganization", owner, () -> inOrganization);
        again("listSessions", owner, new JsonObject());
        once("disableUser", null, () -> new JsonObject().put("userID", somebody().id()).put("reason", "Left the company."));
        again("enableUser", null, new JsonObject().put("userID", somebody().id()));
        again("findUser", null, new JsonObject().put("email", owner.email()));
        again("listPermissions", null, new JsonObject().put("permission", "emails.email.sender"));
        once("withdrawKey", null, () -> new JsonObject().put("kid", oldKey()).put("reason", "A backup was stolen."));
        JsonObject permission = new JsonObject().put("userID", somebody().id()).put("permission", "emails.email.sender");
        again("grantPermission", null, permission);
        again("revokePermission", null, permission);
        once("refreshSession", null, () -> new JsonObject().put("refreshToken", somebody().refreshToken()));
        JsonObject client = new JsonObject().put("name", "Machine").put("permissions", new JsonArray().add("emails.email.sender"));
        again("createMachineClient", null, new JsonObject().put("permissions", client.getJsonArray("permissions")));
        again("listMachineClients", null, new JsonObject());
        JsonObject oauth = must(platform.post("/auth/clients/create", client, platform.administrator().token())).object();
        again("issueOAuthToken", null, new JsonObject().put("grant_type", "client_credentials").put("client_id", oauth.getString("clientID"))
                .put("client_secret", oauth.getString("clientSecret")).putNull("scope"));
        once("rotateMachineClientSecret", null, () -> clientId(client).put("overlapSeconds", 60));
        once("disableMachineClient", null, () -> clientId(client));
        once("enableMachineClient", null, () -> clientId(client));
        once("grantMachineClientPermission", null, () -> clientId(client).put("permission", "push.keys.creator"));
        once("revokeMachineClientPermission", null, () -> clientId(client).put("permission", "emails.email.sender"));
        again("issueMachineClientToken", null, must(platform.post("/auth/clients/create", client, platform.administrator().token())).object());
        again("listUserProfiles", null, new JsonObject().put("userIDs", new JsonArray().add(owner.id()).add(UUID.randomUUID().toString())));
        again("listOrganizationProfiles", null, new JsonObject().put("organizationIDs", new JsonArray().add(organization)));
    }

    private record Organization(String id, Person administrator) {}

    private Organization ofAnother() {
        Person host = somebody();
        return new Organization(must(platform.post("/auth/organizations/create", new JsonObject().put("name", "Quarry"), host.token())).object()
                .getString("organizationID"), host);
    }

    private JsonObject member(String organization, Person administrator, boolean asAdministrator) {
        Person member = somebody();
        platform.join(organization, administrator, member, asAdministrator);
        return new JsonObject().put("organizationID", organization).put("userID", member.id());
    }

    private JsonObject invitation(Organization organization, Person invited) {
        return invitation(organization.id(), organization.administrator(), invited);
    }

    private JsonObject invitation(String organization, Person administrator, Person invited) {
        JsonObject sent = must(platform.post("/auth/organizations/invitations/create",
                new JsonObject().put("organizationID", organization).put("userID", invited.id()), administrator.token())).object();
        return new JsonObject().put("invitationID", sent.getString("invitationID"));
    }

    private JsonObject clientId(JsonObject client) {
        JsonObject created = must(platform.post("/auth/clients/create", client, platform.administrator().token())).object();
        return new JsonObject().put("clientID", created.getString("clientID"));
    }

    /** A key that signs nothing any more. */
    private String oldKey() {
        String kid = UUID.randomUUID().toString();
        platform.rows("""
                insert into platform.signing_keys (key_id, public_key, created)
                select ?, replace(public_key, key_id, ?), created - interval '1 day' from platform.signing_keys order by created limit 1 returning 1
                """, kid, kid);
        return kid;
    }

    /** Of the claimant's organization; nobody listens there. */
    private void ofWebhooks() {
        must(platform.post("/auth/organizations/create", new JsonObject().put("name", "Cranes and masts"), open.claimant().token()));
        Supplier<JsonObject> registered = () -> {
            JsonObject url = new JsonObject().put("url", "http://127.0.0.1:4998/" + UUID.randomUUID());
            must(platform.post("/webhooks/urls/create", url, open.claimant().token()));
            return url;
        };
        once("createWebhookUrl", open.claimant(), () -> new JsonObject().put("url", "http://127.0.0.1:4998/" + UUID.randomUUID()));
        once("deleteWebhookUrl", open.claimant(), registered);
        JsonObject url = registered.get();
        for (String operation : new String[] {"viewWebhookUrl", "enableWebhookUrl", "testWebhookUrl", "rotateWebhookSecret"}) {
            again(operation, open.claimant(), url);
        }
        // One of its own, because nothing is redelivered to a URL that was disabled.
        again("disableWebhookUrl", open.claimant(), registered.get());
        again("listWebhookUrls", open.claimant(), new JsonObject());
        again("listWebhookDeliveries", open.claimant(), url.copy().putNull("cursor").putNull("eventID").putNull("state"));
        again("listEvents", open.claimant(), new JsonObject().put("afterSequence", 0).putNull("event"));
        again("redeliverWebhooks", open.claimant(), url.copy().put("since", "2026-01-01T00:00:00.000Z").putNull("deliveryID"));
    }

    private void ofMessages() {
        String key = must(platform.post("/push/vapid-keys/list", (JsonObject) null, null)).object().getJsonArray("keys").getJsonObject(0).getString("vapidKey");
        Supplier<JsonObject> browser = () -> new JsonObject().put("vapidKey", key).put("subscription", new JsonObject()
                .put("endpoint", "https://updates.push.services.mozilla.com/wpush/v2/" + UUID.randomUUID())
                .put("keys", new JsonObject().put("auth", "BTBZMqHH6r4Tts7J_aSIgg")
                        .put("p256dh", "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")));
        once("subscribeToWebPush", open.claimant(), browser);
        once("subscribeToWebPushAnonymously", open.claimant(), browser);
        again("listWebPushSubscriptions", open.claimant(), new JsonObject());
        once("unsubscribeFromWebPush", open.claimant(), () -> subscriptionId("/push/web-push/subscribe", browser.get()));
        once("unsubscribeFromWebPushAnonymously", open.claimant(), () -> subscriptionId("/push/web-push/anonymous/subscribe", browser.get()));
        JsonObject email = new JsonObject().put("idempotencyKey", UUID.randomUUID().toString()).put("to", new JsonArray().add("clara@example.org"))
                .put("subject", "Hearing").put("html", "<p>On Monday.</p>");
        Person machine = new Person(null, null, platform.machine("emails.email.sender", "push.keys.creator"), null);
        again("createVapidKey", machine, new JsonObject());
        must(platform.post("/emails/email/send", email, machine.token()));
        once("sendEmail", machine, () -> email.copy().put("idempotencyKey", UUID.randomUUID().toString()));
        again("retrieveEmail", machine, new JsonObject().put("idempotencyKey", email.getString("idempotencyKey")));
    }

    private JsonObject subscriptionId(String path, JsonObject subscription) {
        return new JsonObject().put("subscriptionID", must(platform.post(path, subscription, open.claimant().token())).object().getString("subscriptionID"));
    }

    private void ofTexts() {
        JsonObject prompt = new JsonObject().put("documentID", APPROVED_DOCUMENT).put("ruleSet", "commercial").put("active", false);
        again("createPrompt", null, prompt);
        JsonObject made = prompt.copy().put("prompt", "List each claim.").put("triggerOnDocket", false).put("triggerOnDraft", false)
                .put("includeEvidence", false).put("includeFullCase", false);
        again("updatePrompt", null, new JsonObject().put("active", false)
                .put("id", must(platform.post("/ai/prompts/create", made, platform.administrator().token())).object().getInteger("id")));
        again("listAnalyses", open.manager(), inCase().putNull("cursor"));
        again("fillPdfTemplate", null, new JsonObject().put("documentID", "award").put("placeholders", new JsonObject()));
    }

    private JsonObject inCase() {
        return new JsonObject().put("caseID", open.caseId());
    }

    private String draft() {
        return open.draft(open.claimant(), APPROVED_DOCUMENT);
    }

    private JsonObject withFile(String filingId) {
        Answer taken = must(new Form().field("caseID", open.caseId()).field("filingID", filingId)
                .file("claim.pdf", "application/pdf", SamplePdfs.saying("A claim.")).postTo(platform, "/api/filings/files/upload", open.claimant().token()));
        return inCase().put("filingID", filingId).put("fileID", taken.object().getString("fileID"));
    }

    private String submitted() {
        String filing = draft();
        must(open.document("submit", open.claimant(), filing));
        return filing;
    }

    private String docketedFiling() {
        open.docketed(new JsonObject());
        return open.docket(open.claimant()).getJsonObject(0).getString("filingID");
    }

    private Person somebody() {
        return platform.signIn(UUID.randomUUID() + "@example.org", "Simon", "Somebody");
    }

    /** One more play of those that are taken in turn; without a person it is the caller of all else. */
    private void again(String operation, Person by, JsonObject body) {
        add(operation, false, by, new JsonObject(), body);
    }

    private void once(String operation, Person by, Supplier<JsonObject> body) {
        once(operation, by, new JsonObject(), body);
    }

    private void once(String operation, Person by, JsonObject path, Supplier<JsonObject> body) {
        Stream.generate(body).limit(ONCE_COUNT).forEach(one -> add(operation, true, by, path, one));
    }

    private void add(String operation, boolean once, Person by, JsonObject path, JsonObject body) {
        if (!plays.containsKey(operation)) {
            plays.put(operation, new JsonObject().put("once", once).put("plays", new JsonArray()));
        }
        plays.getJsonObject(operation).getJsonArray("plays")
                .add(new JsonObject().put("token", by == null ? null : by.token()).put("path", path).put("body", body));
    }

    private static Answer must(Answer answer) {
        if (answer.status() != 200) {
            throw new IllegalStateException("%d %s".formatted(answer.status(), answer.body()));
        }
        return answer;
    }
}
