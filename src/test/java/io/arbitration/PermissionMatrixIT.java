package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.pdfs.FormMaker;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.auth.AccessTokens;
import io.arbitration.platform.auth.Caller;
import io.arbitration.platform.keys.SigningKeys;
import io.arbitration.platform.reading.SamplePdfs;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every operation of every contract, called by every kind of caller. The table says what each is answered; an operation
 * without a line in it fails the test.
 */
class PermissionMatrixIT {

    /** Callers with a good token, in the order of the table's columns. */
    enum Who { OUTSIDER, OBSERVER, CLAIMANT, RESPONDENT, MANAGER, SUPER, CLIENT }

    /**
     * The table. Columns after the operation: somebody of another organization without a part in the case; an observer of
     * the claimant's side; the claimant (primary participant); the respondent; the case manager; a super administrator; a
     * machine client without permissions, or in a line named after a permission, with it. A line that starts with {@code open} is of an operation that takes no token: whoever
     * calls, the first number is the answer. All others refuse every token that is not good with 401.
     */
    private static final String TABLE = """
            operation                         outsider observer claimant respondent manager super client
            listSchemas                       200      200      200      200        200     200   200
            listMailTypes                     200      200      200      200        200     200   200
            listMailTypeFields                200      200      200      200        200     200   200
            listRuleSets                      200      200      200      200        200     200   200
            createCase                        200      200      200      200        200     200   403
            viewCase                          403      200      200      200        200     200   403
            listCases                         200      200      200      200        200     200   200
            listCases/without-case-manager    403      403      403      403        403     200   403
            addParticipant                    403      403      403      403        200     200   403
            addParticipant/own-side           403      403      200      403        200     200   403
            removeParticipant                 403      403      403      403        200     200   403
            removeParticipant/own-side        403      403      200      403        200     200   403
            restrictParticipant               403      403      403      403        200     403   403
            createCaseInvitation              403      403      403      403        200     200   403
            createCaseInvitation/own-side     403      403      200      403        200     200   403
            listCaseInvitations               200      200      200      200        200     200   200
            listCaseInvitations/of-case       403      403      200      403        200     200   403
            acceptCaseInvitation              200      409      409      409        409     404   404
            declineCaseInvitation             200      200      200      200        200     404   404
            revokeCaseInvitation              404      404      404      404        200     200   404
            createHearing                     403      403      403      403        200     403   403
            viewHearing                       403      200      200      200        200     200   403
            updateHearing                     403      403      403      403        200     403   403
            cancelHearing                     403      403      403      403        200     403   403
            listHearings                      200      200      200      200        200     200   200
            listHearings/of-case              403      200      200      200        200     200   403
            createCalendarFeed                200      200      200      200        200     200   403
            listCalendarFeeds                 200      200      200      200        200     200   200
            revokeCalendarFeed                404      404      200      404        404     404   404
            readCalendarFeed                  open 404
            listParticipants                  403      200      200      200        200     200   403
            advancePhase                      403      403      403      403        200     403   403
            closeCase                         403      403      403      403        200     403   403
            listCaseActions                   403      200      200      200        200     403   403
            listAuditEntries                  403      403      403      403        200     200   403
            exportCase                        403      200      200      200        200     200   403
            listDeadlines                     200      200      200      200        200     200   200
            listDeadlines/of-case             403      200      200      200        200     200   403
            advanceSandboxClock               403      403      200      200        200     403   403
            requestDeadlineExtension          403      403      200      403        403     403   403
            withdrawDeadlineExtension         403      403      200      403        403     403   403
            decideDeadlineExtension           403      403      403      403        200     403   403
            listDeadlineExtensions            403      200      200      200        200     200   403

            createFiling                      403      403      200      200        200     403   403
            updateFiling                      403      403      200      404        404     403   403
            viewFiling                        403      200      200      404        404     403   403
            viewFiling/submitted              403      200      200      404        200     403   403
            viewFiling/docketed               403      200      200      200        200     403   403
            listFilings                       403      200      200      200        200     403   403
            submitDocument                    403      403      200      404        404     403   403
            withdrawDocument                  403      403      200      404        404     403   403
            withdrawDocument/submitted        403      403      200      404        403     403   403
            approveDocument                   403      403      403      404        200     403   403
            rejectDocument                    403      403      403      404        200     403   403
            listFilingsPendingApproval        403      200      200      200        200     403   403
            checkDocument                     403      200      200      404        404     403   403
            issueFilingReceipt                403      409      409      404        404     403   403
            issueFilingReceipt/submitted      403      200      200      404        200     403   403
            issueFilingReceipt/docketed       403      200      200      200        200     403   403
            uploadFilingFile                  403      403      200      404        404     403   403
            listFilingFiles                   403      200      200      404        404     403   403
            listFilingFiles/docketed          403      200      200      200        200     403   403
            updateFilingFile                  403      403      200      404        404     403   403
            removeFilingFile                  403      403      200      404        404     403   403
            downloadFilingFile                403      200      200      404        404     403   403
            downloadFilingFile/docketed       403      200      200      200        200     403   403
            listDocketEntries                 403      200      200      200        200     403   403
            listRecentEntries                 200      200      200      200        200     200   200
            viewDocketEntry                   403      200      200      200        200     403   403
            renderDocketEntry                 403      200      200      200        200     403   403
            verifyDocket                      403      200      200      200        200     403   403
            viewDocketEntry/sealed            403      200      200      403        200     403   403
            renderDocketEntry/sealed          403      200      200      403        200     403   403
            viewFiling/sealed                 403      200      200      403        200     403   403
            issueFilingReceipt/sealed         403      200      200      403        200     403   403
            sendNotice/sealed                 403      403      200      403        200     403   403
            proveNotice/sealed                403      200      200      403        200     403   403
            sealDocketEntry                   403      403      403      403        200     403   403
            redactDocketEntry                 403      403      403      403        200     403   403
            unsealDocketEntry                 403      403      403      403        200     403   403

            createEvidenceUpload              403      403      200      200        200     403   403
            listEvidenceUploads               200      200      200      200        200     200   200
            viewEvidenceUpload                403      200      200      404        200     403   403
            viewEvidenceUpload/exchanged      403      200      200      200        200     403   403
            downloadEvidenceUpload            403      200      200      404        200     403   403
            downloadEvidenceUpload/exchanged  403      200      200      200        200     403   403

            sendNotice                        403      403      200      200        200     403   403
            listNotices                       403      200      200      200        200     403   403
            proveNotice                       403      200      200      200        200     403   403

            searchCases                       200      200      200      200        200     200   200
            streamEvents                      200      200      200      200        200     200   200
            searchCases/in-case               403      200      200      200        200     403   403

            createNoticeAttachment            422      422      422      422        422     422   422

            revokeSession                     200      200      200      200        200     200   200
            viewCurrentUser                   200      200      200      200        200     200   404
            updateCurrentUser                 200      200      200      200        200     200   404
            createOrganization                200      200      200      200        200     200   404
            listOrganizations                 200      200      200      200        200     200   200
            listOrganizationMembers           403      403      200      403        403     403   403
            addOrganizationMember             410      410      410      410        410     410   410
            removeOrganizationMember          403      403      200      403        403     403   403
            leaveOrganization                 403      403      409      403        403     403   403
            grantOrganizationAdministrator    403      403      200      403        403     200   403
            revokeOrganizationAdministrator   403      403      200      403        403     200   403
            createOrganizationInvitation      403      403      200      403        403     403   403
            listOrganizationInvitations       200      200      200      200        200     200   200
            listOrganizationInvitations/sent  403      403      200      403        403     403   403
            acceptOrganizationInvitation      404      200      404      404        404     404   404
            declineOrganizationInvitation     404      200      404      404        404     404   404
            revokeOrganizationInvitation      404      404      200      404        404     404   404
            chooseOrganization                403      403      200      403        403     403   404
            listSessions                      200      200      200      200        200     200   200
            listSessions/of-another           403      403      200      403        403     200   403
            revokeSession/of-another          403      403      403      403        403     200   403
            disableUser                       403      403      403      403        403     200   403
            enableUser                        403      403      403      403        403     200   403
            findUser                          403      403      403      403        403     200   403
            listPermissions                   403      403      403      403        403     200   403
            withdrawKey                       403      403      403      403        403     404   403
            grantPermission                   403      403      403      403        403     200   403
            revokePermission                  403      403      403      403        403     200   403
            createMachineClient               403      403      403      403        403     200   403
            createMachineClient/of-organization 403      403      200      403        403     200   403
            listMachineClients                200      403      200      403        403     200   403
            rotateMachineClientSecret         404      403      200      403        403     200   403
            disableMachineClient              404      403      200      403        403     200   403
            enableMachineClient               404      403      200      403        403     200   403
            grantMachineClientPermission      403      403      403      403        403     200   403
            revokeMachineClientPermission     403      403      403      403        403     200   403
            signOut                           200      200      200      200        200     200   200
            authenticateWithIdentityProvider  open 200
            signInBrowser                     open 302
            finishBrowserSignIn               open 400
            logOutByProvider                  open 400
            issueOAuthToken                   open 401
            authorizeInDemo                   open 400
            issueDemoTokens                   open 400
            refreshSession                    open 200
            issueMachineClientToken           open 200
            listPublicKeys                    open 200
            viewOpenIdConfiguration           open 200
            createDemoIdToken                 open 200
            listDemoPublicKeys                open 200

            listUserProfiles                  200      200      200      200        200     200   200
            listOrganizationProfiles          200      200      200      200        200     200   200
            viewAlertPreferences              200      200      200      200        200     200   200
            updateAlertPreferences            200      200      200      200        200     200   200
            sendEmail                         403      403      403      403        403     403   403
            sendEmail/sender                  403      403      403      403        403     403   200
            retrieveEmail                     403      403      403      403        403     403   403
            retrieveEmail/sender              403      403      403      403        403     403   200
            showHeldEmails                    open 200
            showHeldEmail                     open 404
            listPrompts                       403      403      403      403        403     200   403
            createPrompt                      403      403      403      403        403     200   403
            updatePrompt                      403      403      403      403        403     200   403
            listAnalyses                      403      403      403      403        200     403   403
            generateAward                     503      503      503      503        503     503   503
            fillPdfTemplate                   open 404
            listPdfTemplates                  200      200      200      200        200     200   200
            uploadPdfTemplate                 403      403      403      403        403     200   403

            viewWebhooksWelcome               open 200
            createWebhookUrl                  200      403      200      403        403     403   403
            listWebhookUrls                   200      200      200      200        200     200   200
            viewWebhookUrl                    404      403      200      403        403     403   403
            deleteWebhookUrl                  404      403      200      403        403     403   403
            disableWebhookUrl                 404      403      200      403        403     403   403
            enableWebhookUrl                  404      403      200      403        403     403   403
            testWebhookUrl                    404      403      200      403        403     403   403
            rotateWebhookSecret               404      403      200      403        403     403   403
            listWebhookDeliveries             200      403      200      403        403     403   403
            redeliverWebhooks                 404      403      200      403        403     403   403
            listEvents                        200      200      200      200        200     200   200

            createVapidKey                    403      403      403      403        403     403   403
            createVapidKey/permitted          200      200      200      200        200     200   200
            listVapidKeys                     open 200
            subscribeToWebPush                200      200      200      200        200     200   200
            subscribeToWebPushAnonymously     open 200
            unsubscribeFromWebPush            404      404      200      404        404     404   404
            unsubscribeFromWebPushAnonymously open 200
            listWebPushSubscriptions          200      200      200      200        200     200   200
            sendWebPushToSubscription         403      403      403      403        403     403   403
            sendWebPushToSubscription/permitted 404    404      404      404        404     404   404
            showWebPushDemo                   open 200
            showWebPushDemoStyle              open 200
            showWebPushDemoScript             open 200
            showWebPushDemoServiceWorker      open 200
            """;

    /** A revision of grants after all that the table revokes. */
    private static final long GRANTED_LATER = 1_000_000;
    private static final RunningPlatform PLATFORM = RunningPlatform.shared();
    static final OpenCase CASE = OpenCase.on(PLATFORM);
    private static final Person ADMINISTRATOR = PLATFORM.administrator();
    private static final Person SUPER = superAdministrator();
    private static final JsonObject CLIENT = client();
    private static final String SENDER = PLATFORM.machine("emails.email.sender");
    private static final JsonObject SENT_EMAIL = sentEmail();
    private static final String ORGANIZATION = organization();
    private static final String DOCKETED_ENTRY = CASE.docketed(new JsonObject());
    private static final String DOCKETED_FILING = CASE.docket(CASE.claimant()).getJsonObject(0).getString("filingID");

    private static final JsonObject DOCKETED_FILE = docketedFile();
    private static final String UPLOAD = uploaded(CASE);
    private static final String NOTICE = notice();
    private static final JsonObject EXCHANGED = exchanged();
    private static final JsonObject SEALED = served(sealedEntry());

    /** The filing with a file of its own. */
    private static JsonObject withFile(String filingId) {
        JsonObject named = new JsonObject().put("caseID", CASE.caseId()).put("filingID", filingId);
        Answer taken = must(new Form().field("caseID", CASE.caseId()).field("filingID", filingId)
                .file("claim.pdf", "application/pdf", SamplePdfs.saying("A claim.")).postTo(PLATFORM, "/api/filings/files/upload", CASE.claimant().token()));
        return named.put("fileID", taken.object().getString("fileID"));
    }

    private static JsonObject docketedFile() {
        JsonObject file = withFile(draft());
        must(CASE.document("submit", CASE.claimant(), file.getString("filingID")));
        must(CASE.document("approve", CASE.manager(), file.getString("filingID")));
        return file;
    }

    /** An operation as its contract has it. */
    record Operation(String id, String method, String path, boolean open) {}

    /** A line of the table. */
    record Line(String name, boolean open, List<Integer> statuses) {
        String operationId() {
            return name.split("/")[0];
        }
    }

    private static Person superAdministrator() {
        String email = "super-" + UUID.randomUUID() + "@example.org";
        Person person = PLATFORM.signIn(email, "Sue", "Super");
        must(PLATFORM.post("/auth/permissions/grant", new JsonObject().put("userID", person.id()).put("permission", "admin.platform.super"), ADMINISTRATOR.token()));
        return PLATFORM.signIn(email, "Sue", "Super");
    }

    private static JsonObject client() {
        return must(PLATFORM.post("/auth/clients/create", new JsonObject().put("name", "Machine").put("permissions", new JsonArray()), ADMINISTRATOR.token())).object();
    }

    private static String clientToken() {
        return must(PLATFORM.post("/auth/clients/token", CLIENT, null)).object().getString("accessToken");
    }

    /** Claimant and outsider belong to organizations, each to its own. */
    private static String organization() {
        must(PLATFORM.post("/auth/organizations/create", new JsonObject().put("name", "Others"), CASE.outsider().token()));
        return must(PLATFORM.post("/auth/organizations/create", new JsonObject().put("name", "Cranes Ltd"), CASE.claimant().token()))
                .object().getString("organizationID");
    }

    private static Answer must(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer;
    }

    private static Person somebody() {
        return PLATFORM.signIn("somebody-" + UUID.randomUUID() + "@example.org", "Sam", "Somebody");
    }

    private static Person person(Who who) {
        return switch (who) {
            case OUTSIDER -> CASE.outsider();
            case OBSERVER -> CASE.observer();
            case CLAIMANT -> CASE.claimant();
            case RESPONDENT -> CASE.respondent();
            case MANAGER -> CASE.manager();
            case SUPER -> SUPER;
            case CLIENT -> throw new IllegalArgumentException("no person");
        };
    }

    /** The token that a line is called with: that of the caller, or where the call would spoil it, a fresh one. */
    private static String token(Line line, Who who) {
        if (line.name.endsWith("/sender") && who == Who.CLIENT) {
            return SENDER;
        }
        return switch (line.operationId()) {
            case "revokeSession", "signOut" -> who == Who.CLIENT ? clientToken() : PLATFORM.signIn(person(who).email(), "Same", "Person").token();
            // Their sessions would act for another organization from then on.
            case "createOrganization" -> who == Who.CLIENT ? clientToken() : somebody().token();
            default -> line.name.endsWith("/permitted") ? permitted(who)
                    : who == Who.CLIENT ? clientToken() : person(who).token();
        };
    }

    /** The same kind of caller, but with every permission that an operation of this line can ask for. */
    private static String permitted(Who who) {
        AreaServices services = PLATFORM.platform().services();
        UUID id = UUID.fromString(who == Who.CLIENT ? CLIENT.getString("clientID") : person(who).id());
        return services.tokens().issue(new Caller(id, UUID.randomUUID(), Set.of("push.keys.creator", "push.notifications.creator")), Optional.empty(), GRANTED_LATER, Optional.empty());
    }

    /** What has to be there, made anew for each call, and the body that names it. */
    private static JsonObject body(Line line, Who who) {
        JsonObject inCase = new JsonObject().put("caseID", CASE.caseId());
        return switch (line.name) {
            case "listMailTypeFields" -> new JsonObject().put("mailType", "hearingNotice");
            case "createCase" -> new JsonObject().put("title", "Cranes v. Quarry").put("ruleSet", "commercial");
            case "viewCase", "listParticipants", "listCaseActions", "listAuditEntries", "exportCase", "listDeadlines/of-case", "listDeadlineExtensions", "listFilings", "listFilingsPendingApproval", "listDocketEntries", "verifyDocket", "listEvidenceUploads", "listNotices", "listAnalyses" -> inCase;
            case "listCases/without-case-manager" -> new JsonObject().put("withoutCaseManager", true);
            case "addParticipant" -> joining("respondent");
            case "addParticipant/own-side" -> joining("claimant");
            case "removeParticipant" -> added("respondent");
            case "removeParticipant/own-side" -> added("claimant");
            case "restrictParticipant" -> inCase.put("userID", CASE.colleague().id()).put("mayFile", true);
            case "createHearing" -> newHearing();
            case "viewHearing", "updateHearing" -> scheduledHearing();
            case "cancelHearing" -> scheduledHearing().put("reason", "Settled.");
            case "listHearings/of-case" -> inCase;
            case "createCalendarFeed" -> new JsonObject().put("name", "Telephone");
            case "revokeCalendarFeed" -> feed();
            case "createCaseInvitation" -> invitationToCase(freshEmail(), "respondent");
            case "createCaseInvitation/own-side" -> invitationToCase(freshEmail(), "claimant");
            case "listCaseInvitations/of-case" -> inCase;
            case "acceptCaseInvitation", "declineCaseInvitation" -> invited(who);
            case "revokeCaseInvitation" -> sentInvitation(freshEmail());
            case "advancePhase" -> new JsonObject().put("caseID", CASE.another().caseId());
            case "advanceSandboxClock" -> new JsonObject().put("caseID", CASE.sandbox().caseId()).put("to", Instant.now().plus(Duration.ofDays(1)).toString());
            case "requestDeadlineExtension" -> CASE.another().moreTime();
            case "withdrawDeadlineExtension", "decideDeadlineExtension" -> requestedExtension();
            case "closeCase" -> new JsonObject().put("caseID", CASE.another().caseId()).put("reason", "settled");
            case "createFiling" -> inCase.put("documentID", OpenCase.APPROVED_DOCUMENT).put("fields", new JsonObject());
            case "updateFiling", "viewFiling", "submitDocument", "withdrawDocument", "checkDocument", "issueFilingReceipt" -> inCase.put("filingID", draft());
            case "approveDocument", "viewFiling/submitted", "issueFilingReceipt/submitted", "withdrawDocument/submitted" -> inCase.put("filingID", submitted());
            case "rejectDocument" -> inCase.put("filingID", submitted()).put("reason", "No.");
            case "viewFiling/docketed", "issueFilingReceipt/docketed" -> inCase.put("filingID", DOCKETED_FILING);
            case "uploadFilingFile", "listFilingFiles" -> inCase.put("filingID", draft());
            case "updateFilingFile", "removeFilingFile", "downloadFilingFile" -> withFile(draft());
            case "listFilingFiles/docketed", "downloadFilingFile/docketed" -> DOCKETED_FILE;
            case "listRecentEntries" -> new JsonObject().put("since", "2026-01-01T00:00:00Z");
            case "viewDocketEntry", "renderDocketEntry" -> inCase.put("entryID", DOCKETED_ENTRY);
            case "viewDocketEntry/sealed", "renderDocketEntry/sealed" -> inCase.put("entryID", SEALED.getString("entryID"));
            case "viewFiling/sealed", "issueFilingReceipt/sealed" -> inCase.put("filingID", SEALED.getString("filingID"));
            case "redactDocketEntry" -> inCase.put("entryID", CASE.view(CASE.manager(), DOCKETED_FILE.getString("filingID")).getString("entryID"))
                    .put("fileID", DOCKETED_FILE.getString("fileID")).put("reason", "It names a witness.");
            case "sealDocketEntry" -> inCase.put("entryID", SEALED.getString("entryID")).put("visibleTo", new JsonArray()).put("reason", "Secrets.");
            case "unsealDocketEntry" -> inCase.put("entryID", sealedEntry().getString("entryID")).put("reason", "Known by now.");
            case "sendNotice/sealed" -> newNotice(SEALED.getString("entryID")).put("recipients", new JsonArray().add(new JsonObject().put("userID", CASE.manager().id())));
            case "proveNotice/sealed" -> inCase.put("noticeID", SEALED.getString("noticeID"));
            case "searchCases" -> new JsonObject().put("query", "cranes");
            case "searchCases/in-case" -> inCase.put("query", "cranes");
            case "sendNotice" -> newNotice(DOCKETED_ENTRY);
            case "proveNotice" -> inCase.put("noticeID", NOTICE);
            case "fillPdfTemplate" -> new JsonObject().put("documentID", "none").put("placeholders", new JsonObject());
            case "uploadPdfTemplate" -> new JsonObject().put("documentID", "permissions");
            case "createEvidenceUpload" -> inCase.put("categoryID", "other").put("description", "A note.");
            case "viewEvidenceUpload", "downloadEvidenceUpload" -> inCase.put("uploadID", UPLOAD);
            case "viewEvidenceUpload/exchanged", "downloadEvidenceUpload/exchanged" -> EXCHANGED;
            case "updateCurrentUser" -> new JsonObject().put("publicProfile", true);
            case "createOrganization" -> new JsonObject().put("name", "Quarry Ltd");
            case "addOrganizationMember" -> new JsonObject().put("organizationID", ORGANIZATION).put("userID", somebody().id());
            case "removeOrganizationMember", "grantOrganizationAdministrator" -> member(false);
            case "revokeOrganizationAdministrator" -> member(true);
            case "listOrganizationMembers", "leaveOrganization", "listOrganizationInvitations/sent", "chooseOrganization" ->
                    new JsonObject().put("organizationID", ORGANIZATION);
            case "createOrganizationInvitation" -> new JsonObject().put("organizationID", ORGANIZATION).put("userID", somebody().id());
            case "acceptOrganizationInvitation", "declineOrganizationInvitation", "revokeOrganizationInvitation" -> invitation(CASE.observer());
            case "listSessions/of-another" -> new JsonObject().put("userID", CASE.claimant().id());
            case "revokeSession/of-another" -> new JsonObject().put("userID", somebody().id());
            case "disableUser" -> new JsonObject().put("userID", somebody().id()).put("reason", "Left.");
            case "enableUser" -> new JsonObject().put("userID", somebody().id());
            case "findUser" -> new JsonObject().put("email", CASE.claimant().email());
            case "withdrawKey" -> new JsonObject().put("kid", UUID.randomUUID().toString()).put("reason", "Stolen.");
            case "createMachineClient/of-organization" -> new JsonObject().put("name", "Machine").put("permissions", new JsonArray()).put("organizationID", ORGANIZATION);
            case "rotateMachineClientSecret", "disableMachineClient", "enableMachineClient" -> organizationClient();
            case "grantMachineClientPermission", "revokeMachineClientPermission" -> organizationClient().put("permission", "push.keys.creator");
            case "grantPermission", "revokePermission" -> new JsonObject().put("userID", CASE.outsider().id()).put("permission", "push.keys.creator");
            case "createMachineClient" -> new JsonObject().put("name", "Machine").put("permissions", new JsonArray());
            case "authenticateWithIdentityProvider" -> new JsonObject().put("idToken", must(PLATFORM.post("/auth/demo/id-token", idToken(), null)).object().getString("idToken"));
            case "refreshSession" -> new JsonObject().put("refreshToken", somebody().refreshToken());
            case "issueMachineClientToken" -> CLIENT;
            case "createDemoIdToken" -> idToken();
            case "listUserProfiles" -> new JsonObject().put("userIDs", new JsonArray().add(CASE.claimant().id()));
            case "listOrganizationProfiles" -> new JsonObject().put("organizationIDs", new JsonArray().add(ORGANIZATION));
            case "updateAlertPreferences" -> new JsonObject().put("docket_filings", true);
            case "sendEmail", "sendEmail/sender" -> email();
            case "retrieveEmail", "retrieveEmail/sender" -> SENT_EMAIL;
            case "createWebhookUrl" -> callbackUrl();
            case "viewWebhookUrl", "deleteWebhookUrl", "enableWebhookUrl", "disableWebhookUrl", "testWebhookUrl", "rotateWebhookSecret" -> registered();
            case "redeliverWebhooks" -> registered().put("since", "2026-01-01T00:00:00.000Z");
            case "subscribeToWebPush", "subscribeToWebPushAnonymously" -> subscription();
            case "unsubscribeFromWebPush" -> must(PLATFORM.post("/push/web-push/subscribe", subscription(), CASE.claimant().token())).object();
            case "unsubscribeFromWebPushAnonymously" -> must(PLATFORM.post("/push/web-push/anonymous/subscribe", subscription(), null)).object();
            case "sendWebPushToSubscription", "sendWebPushToSubscription/permitted" -> new JsonObject().put("subscriptionID", UUID.randomUUID().toString());
            // Past all checks, and refused without a browser: there is no page behind this scheme.
            case "createNoticeAttachment" -> new JsonObject().put("mailType", "claimNotice").put("url", "ftp://example.org/");
            case "createPrompt" -> prompt();
            case "updatePrompt" -> promptToUpdate();
            // The shared platform has no model.
            case "generateAward" -> new JsonObject().put("exhibits", new JsonArray()).put("documents",
                    new JsonArray().add(new JsonObject().put("gsUrl", "file://evidence/a.txt").put("contentType", "text/plain")));
            // They take forms and queries; what they do is shown elsewhere.
            case "signOut", "signInBrowser", "finishBrowserSignIn", "authorizeInDemo" -> new JsonObject();
            case "logOutByProvider" -> new JsonObject().put("logout_token", "x");
            case "issueOAuthToken" -> new JsonObject().put("grant_type", "client_credentials").put("client_id", "x").put("client_secret", "x");
            case "issueDemoTokens" -> new JsonObject().put("grant_type", "authorization_code").put("code", "x");
            case "listOrganizations", "listOrganizationInvitations", "listCaseInvitations", "listHearings", "listCalendarFeeds", "readCalendarFeed", "listSessions", "listPermissions", "listMachineClients",
                    "listSchemas", "listMailTypes", "listRuleSets", "listCases", "listDeadlines", "revokeSession", "viewCurrentUser", "viewAlertPreferences", "listPrompts", "listPublicKeys",
                    "listWebhookUrls", "listPdfTemplates", "listWebhookDeliveries", "listEvents", "viewOpenIdConfiguration", "listDemoPublicKeys", "viewWebhooksWelcome",
                    "showHeldEmails", "showHeldEmail", "streamEvents",
                    "createVapidKey", "createVapidKey/permitted", "listVapidKeys", "listWebPushSubscriptions", "showWebPushDemo", "showWebPushDemoStyle", "showWebPushDemoScript",
                    "showWebPushDemoServiceWorker" -> new JsonObject();
            default -> throw new IllegalArgumentException("no body for " + line.name);
        };
    }

    private static JsonObject requestedExtension() {
        OpenCase open = CASE.another();
        String extensionId = must(PLATFORM.post("/cases/deadlines/extensions/request", open.moreTime(), open.claimant().token()))
                .object().getString("extensionID");
        return new JsonObject().put("caseID", open.caseId()).put("extensionID", extensionId).put("granted", true).put("reason", "Agreed.");
    }

    private static JsonObject newNotice(String entryId) {
        return new JsonObject().put("caseID", CASE.caseId()).put("entryID", entryId).put("mailType", "docketNotice")
                .put("recipients", new JsonArray().add(new JsonObject().put("email", "served-" + UUID.randomUUID() + "@example.org")));
    }

    private static String notice() {
        return must(PLATFORM.post("/api/service-of-notice/send", newNotice(DOCKETED_ENTRY), CASE.claimant().token())).object().getString("noticeID");
    }

    /** An entry of the claimant that the respondent may not see, and its filing. */
    private static JsonObject sealedEntry() {
        // Of this type a party may file a hundred; of letters thirty, which the tests before may have filed.
        String filing = must(CASE.create(CASE.claimant(), "certificateOfService", new JsonObject().put("documentServed", "Statement of claim")
                .put("servedOn", "Respondent Cranes Ltd").put("serviceDate", "2026-05-04").put("signedBy", "Clara Claimant"))).object().getString("filingID");
        must(CASE.document("submit", CASE.claimant(), filing));
        String entryId = CASE.view(CASE.claimant(), filing).getString("entryID");
        must(PLATFORM.post("/api/docket/entries/seal", new JsonObject().put("caseID", CASE.caseId()).put("entryID", entryId)
                .put("visibleTo", new JsonArray()).put("reason", "Secrets."), CASE.manager().token()));
        return CASE.docket(CASE.manager()).stream().map(JsonObject.class::cast).filter(entry -> entry.getString("entryID").equals(entryId)).findFirst().orElseThrow();
    }

    private static JsonObject served(JsonObject entry) {
        JsonObject notice = newNotice(entry.getString("entryID")).put("recipients", new JsonArray().add(new JsonObject().put("userID", CASE.manager().id())));
        return entry.put("noticeID", must(PLATFORM.post("/api/service-of-notice/send", notice, CASE.claimant().token())).object().getString("noticeID"));
    }

    private static JsonObject joining(String party) {
        return new JsonObject().put("caseID", CASE.caseId()).put("userID", somebody().id()).put("partyID", party);
    }

    /** Of the claimant. */
    private static JsonObject feed() {
        return new JsonObject().put("feedID", must(PLATFORM.post("/cases/calendar/feeds/create", new JsonObject(), CASE.claimant().token()))
                .object().getString("feedID"));
    }

    private static JsonObject newHearing() {
        return new JsonObject().put("caseID", CASE.caseId()).put("title", "Hearing").put("start", NextYear.at("03-01T09:00:00Z")).put("durationMinutes", 60)
                .put("timeZone", "Europe/Stockholm");
    }

    private static JsonObject scheduledHearing() {
        return new JsonObject().put("caseID", CASE.caseId())
                .put("hearingID", must(PLATFORM.post("/cases/hearings/create", newHearing(), CASE.manager().token())).object().getString("hearingID"));
    }

    private static String freshEmail() {
        return "invited-" + UUID.randomUUID() + "@example.org";
    }

    private static JsonObject invitationToCase(String email, String party) {
        return new JsonObject().put("caseID", CASE.caseId()).put("email", email).put("partyID", party);
    }

    /** By the case manager, whose count of the day starts anew: the table needs more than one may send. */
    private static JsonObject sentInvitation(String email) {
        PLATFORM.rows("delete from identity.invitation_days where user_id = ?::uuid returning 1", CASE.manager().id());
        JsonObject sent = must(PLATFORM.post("/cases/invitations/create", invitationToCase(email, "respondent"), CASE.manager().token())).object();
        return new JsonObject().put("invitationID", sent.getString("invitationID"));
    }

    /** Sent to the caller, but for those who have no email of their own; the outsider is one again after each. */
    private static JsonObject invited(Who who) {
        PLATFORM.rows("delete from cases.participants where case_id = ?::uuid and user_id = ?::uuid returning 1", CASE.caseId(), CASE.outsider().id());
        return sentInvitation(who == Who.CLIENT || who == Who.SUPER ? freshEmail() : person(who).email());
    }

    private static JsonObject added(String party) {
        Person somebody = somebody();
        CASE.add(CASE.manager(), somebody, party, true);
        return new JsonObject().put("caseID", CASE.caseId()).put("userID", somebody.id()).put("partyID", party);
    }

    private static String draft() {
        return CASE.draft(CASE.claimant(), OpenCase.APPROVED_DOCUMENT);
    }

    private static String submitted() {
        String filing = draft();
        must(CASE.document("submit", CASE.claimant(), filing));
        return filing;
    }

    /** A piece of evidence of the claimant. */
    private static String uploaded(OpenCase open) {
        return must(Form.of(open.caseId(), "other", "A note.").file("note.txt", "text/plain", "Noted.").post(PLATFORM, open.claimant().token()))
                .object().getString("uploadID");
    }

    /** The same in a case whose sides see each other's evidence. */
    private static JsonObject exchanged() {
        OpenCase open = CASE.another();
        String upload = uploaded(open);
        open.advanceTo("evidenceExchange");
        return new JsonObject().put("caseID", open.caseId()).put("uploadID", upload);
    }

    private static JsonObject member(boolean asAdministrator) {
        Person member = somebody();
        PLATFORM.join(ORGANIZATION, CASE.claimant(), member, asAdministrator);
        return new JsonObject().put("organizationID", ORGANIZATION).put("userID", member.id());
    }

    /** Of an organization that invites the person; it leaves those that it joined before, so that each call finds the same. */
    private static JsonObject invitation(Person invited) {
        PLATFORM.rows("delete from identity.memberships where user_id = ?::uuid and organization_id = ?::uuid returning 1", invited.id(), ORGANIZATION);
        JsonObject sent = must(PLATFORM.post("/auth/organizations/invitations/create",
                new JsonObject().put("organizationID", ORGANIZATION).put("userID", invited.id()), CASE.claimant().token())).object();
        return new JsonObject().put("invitationID", sent.getString("invitationID"));
    }

    /** A client of the claimant's organization. */
    private static JsonObject organizationClient() {
        JsonObject client = must(PLATFORM.post("/auth/clients/create",
                new JsonObject().put("name", "Machine").put("permissions", new JsonArray()).put("organizationID", ORGANIZATION), CASE.claimant().token())).object();
        return new JsonObject().put("clientID", client.getString("clientID"));
    }

    private static JsonObject idToken() {
        return new JsonObject().put("email", UUID.randomUUID() + "@example.org").put("first_name", "Ida").put("last_name", "Token");
    }

    /** Nobody listens there: a test event is refused at once. */
    private static JsonObject callbackUrl() {
        return new JsonObject().put("url", "http://127.0.0.1:4998/permissions");
    }

    /** A URL of the claimant's organization, which the claimant administers. */
    private static JsonObject registered() {
        JsonObject url = new JsonObject().put("url", "http://127.0.0.1:4998/registered");
        must(PLATFORM.post("/webhooks/urls/create", url, CASE.claimant().token()));
        return url;
    }

    private static JsonObject email() {
        return new JsonObject().put("idempotencyKey", UUID.randomUUID().toString()).put("to", new JsonArray().add("clara@example.org"))
                .put("subject", "Hearing").put("html", "<p>On Monday.</p>");
    }

    private static JsonObject sentEmail() {
        JsonObject email = email();
        must(PLATFORM.post("/emails/email/send", email, SENDER));
        return new JsonObject().put("idempotencyKey", email.getString("idempotencyKey"));
    }

    /** A browser with the example keys of RFC 8291. */
    private static JsonObject subscription() {
        JsonArray keys = must(PLATFORM.post("/push/vapid-keys/list", (JsonObject) null, null)).object().getJsonArray("keys");
        return new JsonObject().put("vapidKey", keys.getJsonObject(0).getString("vapidKey")).put("subscription", new JsonObject()
                .put("endpoint", "https://updates.push.services.mozilla.com/wpush/v2/" + UUID.randomUUID())
                .put("keys", new JsonObject().put("auth", "BTBZMqHH6r4Tts7J_aSIgg")
                        .put("p256dh", "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")));
    }

    private static JsonObject prompt() {
        return new JsonObject().put("documentID", OpenCase.APPROVED_DOCUMENT).put("ruleSet", "commercial").put("prompt", "List each claim.")
                .put("active", false).put("triggerOnDocket", false).put("triggerOnDraft", false).put("includeEvidence", false).put("includeFullCase", false);
    }

    private static JsonObject promptToUpdate() {
        JsonObject prompt = prompt();
        int id = must(PLATFORM.post("/ai/prompts/create", prompt, SUPER.token())).object().getInteger("id");
        prompt.remove("documentID");
        prompt.remove("ruleSet");
        return prompt.put("id", id);
    }

    @Test
    void everyKindOfCallerIsAnsweredAsTheTableSays() throws IOException {
        Map<String, Operation> operations = operations();
        List<String> actual = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (Line line : table()) {
            Operation operation = operations.get(line.operationId());
            assertThat(operation).as("operation %s of the table is in a contract", line.operationId()).isNotNull();
            assertThat(line.open).as("%s takes no token", line.name).isEqualTo(operation.open);
            if (!line.open) {
                expected.add("%-34s%s".formatted(line.name, line.statuses));
                actual.add("%-34s%s".formatted(line.name, Stream.of(Who.values())
                        .map(who -> call(operation, body(line, who), token(line, who)).status()).toList()));
            }
        }
        assertThat(String.join("\n", actual)).isEqualTo(String.join("\n", expected));
        assertThat(table().stream().map(Line::operationId).collect(Collectors.toSet())).as("operations with a line in the table")
                .containsExactlyInAnyOrderElementsOf(operations.keySet());
    }

    @Test
    void noOperationTakesATokenThatIsNotGood() throws Exception {
        Map<String, String> tokens = badTokens();
        Map<String, Operation> operations = operations();
        List<String> wrong = new ArrayList<>();
        for (Line line : table()) {
            Operation operation = operations.get(line.operationId());
            for (Map.Entry<String, String> bad : tokens.entrySet()) {
                // An open operation doesn't look at tokens; another one refuses before it looks at the body.
                Answer answer = call(operation, line.open ? body(line, Who.CLAIMANT) : new JsonObject(), bad.getValue());
                boolean right = line.open ? answer.status() == line.statuses.getFirst()
                        : answer.status() == 401 && sentence(answer).equals("missing or invalid access token")
                                && answer.header("Error-Code").equals("token.invalid") && answer.header("WWW-Authenticate").startsWith("Bearer ");
                if (!right) {
                    wrong.add("%s, %s: %d %s".formatted(line.name, bad.getKey(), answer.status(), answer.body()));
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** A cookie of a session that is over, or of nothing, opens no operation. */
    @Test
    void noOperationTakesACookieThatIsNotGood() throws IOException {
        String origin = "http://localhost:" + PLATFORM.settings().server().port();
        Map<String, String> cookies = Map.of("signed out", browserOf(somebody().email(), "/auth/logout", null, origin),
                "disabled user", browserOf(somebody().email(), null, "disable", origin), "made up", "session=s1_" + "A".repeat(43));
        Map<String, Operation> operations = operations();
        List<String> wrong = new ArrayList<>();
        for (Operation operation : operations.values()) {
            for (Map.Entry<String, String> bad : operation.open ? Map.<String, String>of().entrySet() : cookies.entrySet()) {
                Answer answer = operation.method.equals("get") ? PLATFORM.get(operation.path, "Cookie", bad.getValue())
                        : PLATFORM.post(operation.path, new JsonObject(), null, "Cookie", bad.getValue(), "Origin", origin);
                if (answer.status() != 401 || !sentence(answer).equals("missing or invalid access token")) {
                    wrong.add("%s, %s: %d %s".formatted(operation.id, bad.getKey(), answer.status(), answer.body()));
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** A page of another origin that has the browser send its good cookie changes nothing; nor does one that says no origin. */
    @Test
    void noOperationThatWritesTakesACookieFromAPageOfAnotherOrigin() throws IOException {
        String origin = "http://localhost:" + PLATFORM.settings().server().port();
        String cookie = browserOf(somebody().email(), null, null, origin);
        List<String[]> foreign = List.of(new String[] {}, new String[] {"Origin", "https://evil.example"}, new String[] {"Origin", "null"});
        List<String> wrong = new ArrayList<>();
        for (Operation operation : operations().values()) {
            for (String[] headers : operation.open || operation.method.equals("get") ? List.<String[]>of() : foreign) {
                Answer answer = PLATFORM.post(operation.path, new JsonObject(), null,
                        Stream.concat(Stream.of("Cookie", cookie), Stream.of(headers)).toArray(String[]::new));
                if (answer.status() != 403 || !answer.header("Error-Code").equals("origin.not-allowed")) {
                    wrong.add("%s, %s: %d %s".formatted(operation.id, List.of(headers), answer.status(), answer.body()));
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(PLATFORM.post("/auth/users/me", (JsonObject) null, null, "Cookie", cookie, "Origin", origin).status()).as("the same cookie from here").isEqualTo(200);
    }

    /** The cookie of a browser in which somebody signed in and whose session ended since, by an operation of its own or of an administrator. */
    private static String browserOf(String email, String own, String administrators, String origin) {
        String here = PLATFORM.url();
        Answer begun = PLATFORM.get("/auth/login/demo");
        URI asked = URI.create(begun.header("Location"));
        Answer back = PLATFORM.get("/demo/authorize?%s&login_hint=%s&first_name=B&last_name=R".formatted(asked.getRawQuery(), email));
        URI returned = URI.create(back.header("Location"));
        Answer done = PLATFORM.get(returned.getRawPath() + "?" + returned.getRawQuery(), "Cookie", begun.header("Set-Cookie").split(";")[0]);
        assertThat(done.status()).as(here + done.body()).isEqualTo(302);
        String cookie = done.header("Set-Cookie").split(";")[0];
        Answer me = must(PLATFORM.post("/auth/users/me", (JsonObject) null, null, "Cookie", cookie, "Origin", origin));
        if (own != null) {
            must(PLATFORM.post(own, (JsonObject) null, null, "Cookie", cookie, "Origin", origin));
        }
        if (administrators != null) {
            must(PLATFORM.post("/auth/users/" + administrators, new JsonObject().put("userID", me.object().getString("id")).put("reason", "Left."), SUPER.token()));
        }
        return cookie;
    }

    /** A JSON string, or on the push operations the text itself. */
    static String sentence(Answer answer) {
        return answer.header("Content-Type").startsWith("text/plain") ? answer.body() : answer.sentence();
    }

    /** A request that an operation takes, and a caller who is answered as asked for, if anybody of the table is. */
    record Play(Operation operation, Line line, JsonObject body) {

        Answer with(UnaryOperator<JsonObject> change) {
            return call(operation, change.apply(body.copy()), line.open ? null : endsSessions() ? somebody().token() : token(line, who()));
        }

        /** A user has so many sessions at most: one that signs in again and again would end those that the table calls with. */
        private boolean endsSessions() {
            return line.name.equals("revokeSession") || line.name.equals("signOut");
        }

        private Who who() {
            return Stream.of(Who.values()).filter(one -> line.statuses.get(one.ordinal()) < 400).findFirst().orElse(Who.SUPER);
        }

        /**
         * Asks as nobody may: with an array as the body, a form without its fields, a way back to elsewhere, a place in no
         * stream or a key that is too long.
         */
        Answer wrongly(String contentType) {
            String token = line.open ? null : endsSessions() ? somebody().token() : token(line, who());
            String path = operation.path.replace("{idp}", "demo");
            if (operation.method.equals("get")) {
                String[] headers = token == null ? new String[0] : new String[] {"Authorization", "Bearer " + token, "Last-Event-ID", "x"};
                return PLATFORM.get(path + "?returnTo=https://elsewhere.example", headers);
            }
            return switch (contentType) {
                case "multipart/form-data" -> new Form().field("other", "x").postTo(PLATFORM, path, token);
                case "application/x-www-form-urlencoded" -> PLATFORM.post(path, HttpRequest.BodyPublishers.ofString("other=x"), contentType, token);
                case "application/json" -> PLATFORM.post(path, "[]", token);
                default -> PLATFORM.post(path, "", token, "Idempotency-Key", "k".repeat(201));
            };
        }

        private boolean isAnswered() {
            return line.open || line.statuses.stream().anyMatch(status -> status < 400);
        }
    }

    /**
     * Takes back what plays leave behind in the case and the organization of the table: submitted filings, of which a party may have so
     * many in a phase, further administrators, beside whom the claimant could leave its organization, and invitations of today.
     */
    static void tidy() {
        PLATFORM.rows("update identity.invitation_days set sent = 0 returning 1");
        PLATFORM.rows("update identity.memberships set is_administrator = false where organization_id = ?::uuid and user_id <> ?::uuid returning 1",
                ORGANIZATION, CASE.claimant().id());
        JsonObject waiting = must(PLATFORM.post("/api/filings/list", new JsonObject().put("caseID", CASE.caseId()).put("state", "submitted").put("partyID", "claimant")
                .put("limit", 200), CASE.claimant().token())).object();
        waiting.getJsonArray("filings").forEach(filing -> must(CASE.document("withdraw", CASE.claimant(), ((JsonObject) filing).getString("filingID"))));
    }

    /** What the operation needs is made now. */
    static Play play(String operationId) throws IOException {
        Operation operation = operations().get(operationId);
        // The plain line before its variants, which are about something particular.
        List<Line> lines = table().stream().filter(line -> line.operationId().equals(operationId))
                .sorted(Comparator.comparing(line -> !line.name.equals(operationId))).toList();
        Line line = lines.stream().filter(one -> new Play(operation, one, new JsonObject()).isAnswered()).findFirst().orElse(lines.getLast());
        Play play = new Play(operation, line, new JsonObject());
        return new Play(operation, line, body(line, line.open ? Who.OUTSIDER : play.who()));
    }

    private static Answer call(Operation operation, JsonObject body, String token) {
        String[] authorization = token == null ? new String[0] : new String[] {"Authorization", "Bearer " + token};
        if (Set.of("createEvidenceUpload", "uploadPdfTemplate", "uploadFilingFile", "redactDocketEntry").contains(operation.id)) {
            Form form = new Form();
            body.forEach(field -> form.field(field.getKey(), (String) field.getValue()));
            if (operation.id.equals("uploadFilingFile") || operation.id.equals("redactDocketEntry")) {
                return form.file("claim.pdf", "application/pdf", SamplePdfs.saying("A claim.")).postTo(PLATFORM, operation.path, token);
            }
            return operation.id.equals("createEvidenceUpload") ? form.file("note.txt", "text/plain", "Noted.").post(PLATFORM, token)
                    : form.file("form.pdf", "application/pdf", FormMaker.oneField()).postTo(PLATFORM, operation.path, token);
        }
        String path = operation.path.replace("{idp}", "demo").replace("{emailID}", UUID.randomUUID().toString()).replace("{feed}", "x.ics");
        if (Set.of("logOutByProvider", "issueOAuthToken", "issueDemoTokens").contains(operation.id)) {
            String form = body.stream().map(field -> field.getKey() + "=" + field.getValue()).collect(Collectors.joining("&"));
            return PLATFORM.post(path, HttpRequest.BodyPublishers.ofString(form), "application/x-www-form-urlencoded", token);
        }
        return operation.method.equals("get") ? PLATFORM.get(path, authorization) : PLATFORM.post(path, body, token);
    }

    private static List<Line> table() {
        return TABLE.lines().skip(1).filter(line -> !line.isBlank()).map(line -> {
            String[] cells = line.strip().split("\\s+");
            boolean open = cells[1].equals("open");
            return new Line(cells[0], open, Stream.of(cells).skip(open ? 2 : 1).map(Integer::valueOf).toList());
        }).toList();
    }

    /** Every operation of the contracts. */
    private static Map<String, Operation> operations() {
        Map<String, Operation> operations = new TreeMap<>();
        ShippedContracts.operations().forEach(one -> operations.put(one.id(),
                new Operation(one.id(), one.method(), one.path(), one.node().get("security").isEmpty())));
        return operations;
    }

    /** Tokens that are wrong in one respect each; the ones of the platform's own making carry its real signature. */
    private static Map<String, String> badTokens() throws JOSEException, ParseException {
        AreaServices services = PLATFORM.platform().services();
        String issuer = services.tokens().issuer();
        String audience = PLATFORM.settings().identity().audience();
        assertThat(call(new Operation("", "post", "/auth/users/me", false), new JsonObject(), signed(issuer, audience, Clock.systemUTC())).status())
                .as("made the same way with nothing wrong, a token is taken").isEqualTo(200);
        SignedJWT good = SignedJWT.parse(CASE.claimant().token());
        Map<String, String> tokens = new LinkedHashMap<>();
        tokens.put("none", null);
        tokens.put("malformed", "not.a.token");
        tokens.put("cut off", CASE.claimant().token().substring(0, CASE.claimant().token().length() - 4));
        tokens.put("expired", signed(issuer, audience, Clock.offset(Clock.systemUTC(), Duration.ofHours(-2))));
        tokens.put("from the future", signed(issuer, audience, Clock.offset(Clock.systemUTC(), Duration.ofHours(2))));
        tokens.put("wrong issuer", signed("https://elsewhere.example/auth", audience, Clock.systemUTC()));
        tokens.put("wrong audience", signed(issuer, "another-platform", Clock.systemUTC()));
        tokens.put("revoked session", revoked());
        tokens.put("disabled user", ofDisabledUser());
        tokens.put("disabled client", ofDisabledClient());
        tokens.put("longer than the lifetime", new AccessTokens(issuer, audience, Duration.ofHours(2), services.signingKeys(), services.revocations(), 100,
                Clock.systemUTC()).issue(new Caller(UUID.fromString(CASE.claimant().id()), UUID.randomUUID(), Set.of("admin.platform.super")),
                        Optional.empty(), 0, Optional.empty()));
        tokens.put("unsigned", new PlainJWT(good.getJWTClaimsSet()).serialize());
        Instant now = Instant.now();
        JWTClaimsSet claims = good.getJWTClaimsSet();
        tokens.put("not valid yet", signed(new JWTClaimsSet.Builder(claims).notBeforeTime(Date.from(now.plusSeconds(600))).build(), JOSEObjectType.JWT));
        tokens.put("of an unknown key", signedWith(new ECDSASigner(new ECKeyGenerator(Curve.P_256).generate()), JWSAlgorithm.ES256, "unknown", good));
        tokens.put("of the type of a receipt", signed(claims, new JOSEObjectType("receipt+jws")));
        tokens.put("of the type of a logout token", signed(claims, new JOSEObjectType("logout+jwt")));
        tokens.put("of no type", signed(claims, null));
        tokens.put("of two audiences", signed(new JWTClaimsSet.Builder(claims).audience(List.of(audience, "another-platform")).build(), JOSEObjectType.JWT));
        tokens.put("of no session", signed(new JWTClaimsSet.Builder(claims).claim("sid", null).build(), JOSEObjectType.JWT));
        tokens.put("with a claim given twice", twice(good));
        tokens.put("longer than any", signed(new JWTClaimsSet.Builder(claims).claim("more", "x".repeat(8000)).build(), JOSEObjectType.JWT));
        tokens.put("a refresh token", CASE.claimant().refreshToken());
        tokens.put("an ID token of the provider", must(PLATFORM.post("/auth/demo/id-token", idToken(), null)).object().getString("idToken"));
        tokens.put("the secret of a client", CLIENT.getString("clientSecret"));
        tokens.put("signed with another key of the same id", signedWith(new ECDSASigner(new ECKeyGenerator(Curve.P_256).generate()), JWSAlgorithm.ES256, good));
        tokens.put("signed with the public key as a secret", signedWith(new MACSigner(publicKey(good)), JWSAlgorithm.HS256, good));
        tokens.put("of another user under the signature", tampered(good));
        return tokens;
    }

    private static String signed(String issuer, String audience, Clock clock) {
        AreaServices services = PLATFORM.platform().services();
        return new AccessTokens(issuer, audience, Duration.ofHours(1), services.signingKeys(), services.revocations(), 100, clock).issue(
                new Caller(UUID.fromString(CASE.claimant().id()), UUID.randomUUID(), Set.of("admin.platform.super")), Optional.empty(), 0, Optional.empty());
    }

    private static String revoked() {
        Person person = somebody();
        must(PLATFORM.post("/auth/sessions/revoke", new JsonObject(), person.token()));
        return person.token();
    }

    private static String ofDisabledUser() {
        Person person = somebody();
        must(PLATFORM.post("/auth/users/disable", new JsonObject().put("userID", person.id()).put("reason", "Left."), SUPER.token()));
        return person.token();
    }

    private static String ofDisabledClient() {
        JsonObject client = client();
        String token = must(PLATFORM.post("/auth/clients/token", client, null)).object().getString("accessToken");
        must(PLATFORM.post("/auth/clients/disable", new JsonObject().put("clientID", client.getString("clientID")), SUPER.token()));
        return token;
    }

    /** A good token, whose session acted for the organization until its user left it. */
    @Test
    void whoLeftAnOrganizationDoesNothingForItAnyMore() throws IOException {
        Person left = somebody();
        PLATFORM.join(ORGANIZATION, CASE.claimant(), left, true);
        assertThat(PLATFORM.post("/webhooks/deliveries/list", new JsonObject(), left.token()).status()).as("as a member").isEqualTo(200);
        must(PLATFORM.post("/auth/organizations/leave", new JsonObject().put("organizationID", ORGANIZATION), left.token()));
        Map<String, Operation> operations = operations();
        for (String operation : List.of("createWebhookUrl", "viewWebhookUrl", "deleteWebhookUrl", "enableWebhookUrl", "disableWebhookUrl", "testWebhookUrl", "rotateWebhookSecret", "listWebhookDeliveries", "redeliverWebhooks",
                "listOrganizationMembers", "removeOrganizationMember", "createOrganizationInvitation", "listOrganizationInvitations/sent",
                "grantOrganizationAdministrator", "chooseOrganization", "createMachineClient/of-organization", "listMachineClients", "rotateMachineClientSecret")) {
            Line line = new Line(operation, false, List.of());
            assertThat(call(operations.get(line.operationId()), body(line, Who.OUTSIDER), left.token()).status()).as(operation).isEqualTo(403);
        }
        assertThat(must(PLATFORM.post("/auth/users/me", (JsonObject) null, left.token())).object().getString("organizationID")).isNull();
    }

    /** Signed as the platform signs. */
    private static String signed(JWTClaimsSet claims, JOSEObjectType type) throws JOSEException {
        SigningKeys.SigningKey key = PLATFORM.services().signingKeys().current();
        SignedJWT token = new SignedJWT(new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.id()).type(type).build(), claims);
        token.sign(key.signer());
        return token.serialize();
    }

    /** The claims of a good token, and its subject a second time, under a good signature. */
    private static String twice(SignedJWT good) throws JOSEException {
        String claims = good.getPayload().toString();
        SigningKeys.SigningKey key = PLATFORM.services().signingKeys().current();
        JWSObject token = new JWSObject(new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.id()).type(JOSEObjectType.JWT).build(),
                new Payload(claims.substring(0, claims.length() - 1) + ",\"sub\":\"" + CASE.manager().id() + "\"}"));
        token.sign(key.signer());
        return token.serialize();
    }

    private static String signedWith(com.nimbusds.jose.JWSSigner signer, JWSAlgorithm algorithm, SignedJWT good) throws JOSEException, ParseException {
        return signedWith(signer, algorithm, good.getHeader().getKeyID(), good);
    }

    private static String signedWith(com.nimbusds.jose.JWSSigner signer, JWSAlgorithm algorithm, String keyId, SignedJWT good)
            throws JOSEException, ParseException {
        SignedJWT token = new SignedJWT(new JWSHeader.Builder(algorithm).keyID(keyId).type(JOSEObjectType.JWT).build(), good.getJWTClaimsSet());
        token.sign(signer);
        return token.serialize();
    }

    private static byte[] publicKey(SignedJWT good) throws ParseException {
        JsonArray keys = must(PLATFORM.get("/auth/.well-known/jwks.json")).object().getJsonArray("keys");
        JsonObject key = keys.stream().map(JsonObject.class::cast).filter(one -> one.getString("kid").equals(good.getHeader().getKeyID())).findFirst().orElseThrow();
        return ECKey.parse(key.encode()).toJSONString().getBytes(StandardCharsets.UTF_8);
    }

    private static String tampered(SignedJWT good) throws ParseException {
        JWTClaimsSet other = new JWTClaimsSet.Builder(good.getJWTClaimsSet()).subject(CASE.manager().id()).build();
        String[] parts = good.serialize().split("\\.");
        return parts[0] + "." + other.toPayload().toBase64URL() + "." + parts[2];
    }
}
