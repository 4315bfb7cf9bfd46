package io.arbitration.command;

import io.arbitration.domain.hash.Sha256;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/**
 * Plays a case over HTTP, from sign-in to docket: the case manager invites the respondent, the claimant files, the case manager
 * approves, the respondent answers, and the case manager serves notice of the hearing. A server of the claimant's organization
 * receives a webhook for both entries. The respondent gets an email about the first one, which is held where no mail server is
 * configured. Every answer is checked; the first wrong one ends the demo.
 */
final class DemoCase {

    private static final String CLAIM = "/demo/statement-of-claim.pdf";
    private static final int OK = 200;
    private static final int CONFLICT = 409;
    private static final String RESPONDENT_EMAIL = "rolf.respondent@demo.example";

    private static final Duration TELLING_WAIT = Duration.ofSeconds(20);
    private static final long LOOK_MILLIS = 200;
    /** A held email on the local page: its subject and its id. */
    private static final Pattern HELD = Pattern.compile("class=\"subject\">([^<]*)</span>.*?To (\\S+?)</span>.*?src=\"held/([0-9a-f-]{36})\"", Pattern.DOTALL);

    private final DemoClient client;
    private final boolean emailsHeld;
    private String caseId;

    /** @param emailsHeld whether emails are held, because no mail server is configured */
    DemoCase(DemoClient client, boolean emailsHeld) {
        this.client = client;
        this.emailsHeld = emailsHeld;
    }

    /** A user who has signed in. */
    record Person(String id, String firstName, String token) {}

    /** The case that was played, and its users. */
    record Ending(String caseId, Person administrator, Person claimant, Person respondent, Person manager, Person arbitrator) {}

    Ending play() {
        try (DemoReceiver receiver = new DemoReceiver()) {
            return play(receiver);
        }
    }

    private Ending play(DemoReceiver receiver) {
        Person administrator = signIn("admin@demo.example", "Ada", "Administrator");
        Person claimant = signIn("clara.claimant@demo.example", "Clara", "Claimant");
        Person respondent = signIn(RESPONDENT_EMAIL, "Rolf", "Respondent");
        Person manager = signIn("maya.manager@demo.example", "Maya", "Manager");
        Person arbitrator = signIn("arno.arbitrator@demo.example", "Arno", "Arbitrator");
        joinOrganization(claimant);
        takeLeftBehindAway(claimant);
        String secret = register(claimant, receiver.url());
        try {
            return play(receiver, secret, new Ending("", administrator, claimant, respondent, manager, arbitrator));
        } catch (CommandFailure failed) {
            takeAway(claimant, receiver.url());
            throw failed;
        }
    }

    private Ending play(DemoReceiver receiver, String secret, Ending people) {
        Person claimant = people.claimant();
        Person respondent = people.respondent();
        Person manager = people.manager();
        Set<String> heldBefore = emailsHeld ? heldFor(RESPONDENT_EMAIL).keySet() : Set.of();
        open(claimant);
        addParticipant("The administrator appoints Maya as the case manager.", people.administrator(), manager, "caseManager");
        invite(manager, respondent);
        addParticipant("Maya appoints Arno as the arbitrator.", manager, people.arbitrator(), "arbitrator");
        String claim = draft(claimant, "statementOfClaim", new JsonObject()
                .put("claimantName", "Claimant Shipping GmbH")
                .put("respondentName", "Respondent Cranes Ltd")
                .put("claimAmount", "125000.00")
                .put("reliefSought", "Damages for two harbour cranes that were delivered eleven weeks late.")
                .put("expeditedRequested", false));
        attach(claimant, claim);
        check(claimant, claim);
        submit(claimant, claim);
        submitAgain(claimant, claim);
        approve(manager, claim);
        advance(manager, "response");
        String answer = draft(respondent, "answer", new JsonObject()
                .put("respondentName", "Respondent Cranes Ltd")
                .put("denials", "The cranes were ready in time; the claimant's own harbour works kept them out.")
                .put("reliefSought", "That the claim is dismissed."));
        submit(respondent, answer);
        approve(manager, answer);
        list(respondent);
        verify(claimant);
        serve(manager);
        receive(claimant, receiver, secret);
        if (emailsHeld) {
            showEmail(heldBefore);
        }
        return new Ending(caseId, people.administrator(), claimant, respondent, manager, people.arbitrator());
    }

    private Person signIn(String email, String firstName, String lastName) {
        client.step("%s %s signs in.".formatted(firstName, lastName));
        JsonObject person = new JsonObject().put("email", email).put("first_name", firstName).put("last_name", lastName);
        String idToken = object(post("auth", "/demo/id-token", person, null)).getString("idToken");
        JsonObject tokens = object(post("auth", "/authenticate/demo", new JsonObject().put("idToken", idToken), null));
        String token = tokens.getString("accessToken");
        String id = object(post("auth", "/users/me", new JsonObject(), token)).getString("id");
        return new Person(id, firstName, token);
    }

    /** Creates the organization at the first run; later runs find it. */
    private void joinOrganization(Person claimant) {
        if (object(post("auth", "/users/me", new JsonObject(), claimant.token())).getString("organizationID") == null) {
            client.step("Clara founds her organization.");
            post("auth", "/organizations/create", new JsonObject().put("name", "Claimant Shipping GmbH"), claimant.token());
        }
    }

    /** A run that was killed has left the URL of its server registered. Nothing listens there any more, so it is deleted. */
    private void takeLeftBehindAway(Person claimant) {
        client.step("Clara looks for URLs that an earlier play left behind.");
        object(post("webhooks", "/urls/list", new JsonObject(), claimant.token())).getJsonArray("urls").stream()
                .map(url -> ((JsonObject) url).getString("url"))
                .filter(DemoReceiver::couldBe)
                .forEach(url -> expect("Webhook URL deleted.", post("webhooks", "/urls/delete", new JsonObject().put("url", url), claimant.token())));
    }

    /** Deletes the URL after a step that failed. The demo ends with the failure of that step, even when the deletion fails as well. */
    private void takeAway(Person claimant, String url) {
        try {
            client.step("A step failed, so Clara takes the URL away.");
            post("webhooks", "/urls/delete", new JsonObject().put("url", url), claimant.token());
        } catch (CommandFailure neither) {
            client.step("That failed, too: " + neither.getMessage());
        }
    }

    private String register(Person claimant, String url) {
        client.step("Her organization runs a server here, and Clara registers its URL for webhooks.");
        return object(post("webhooks", "/urls/create", new JsonObject().put("url", url), claimant.token())).getString("secret");
    }

    private void receive(Person claimant, DemoReceiver receiver, String secret) {
        client.step("Meanwhile both entries have arrived at the server of Clara's organization, each with a signature that it verifies.");
        Set<String> arrived = new HashSet<>();
        while (arrived.size() < 2) {
            JsonObject envelope = receiver.next(secret);
            JsonObject data = envelope.getJsonObject("data");
            expect("docket_filing", envelope.getString("event"));
            // The organization receives events of all its cases, and somebody may be working on another one.
            if (caseId.equals(data.getString("caseID")) && arrived.add(data.getString("documentID"))) {
                client.note("arrived at " + receiver.url(), envelope);
            }
        }
        expect(Set.of("statementOfClaim", "answer"), arrived);
        client.step("The demo ends here, so Clara takes the URL away.");
        expect("Webhook URL deleted.", post("webhooks", "/urls/delete", new JsonObject().put("url", receiver.url()), claimant.token()));
    }

    private void showEmail(Set<String> heldBefore) {
        client.step("Rolf was told of Clara's claim by email. No mail server is configured, so it is held; a browser shows it at the address below.");
        long end = System.nanoTime() + TELLING_WAIT.toNanos();
        while (true) {
            Map<String, String> held = heldFor(RESPONDENT_EMAIL);
            held.keySet().removeAll(heldBefore);
            Optional<Map.Entry<String, String>> claim = held.entrySet().stream().filter(one -> one.getValue().endsWith("(No. 1)")).findFirst();
            if (claim.isPresent()) {
                expect(true, client.get("emails", "/held/" + claim.get().getKey()).contains("New on the docket"));
                client.note("held for " + RESPONDENT_EMAIL + ": " + claim.get().getValue());
                client.note(client.address("emails", "/held"));
                return;
            }
            if (System.nanoTime() > end) {
                throw new CommandFailure("no email for %s is held at %s".formatted(RESPONDENT_EMAIL, client.address("emails", "/held")));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
        }
    }

    /** The subjects of the held emails to a recipient that the page shows, by the ids of the emails. */
    private Map<String, String> heldFor(String recipient) {
        Map<String, String> held = new HashMap<>();
        HELD.matcher(client.get("emails", "/held")).results().filter(one -> one.group(2).equals(recipient))
                .forEach(one -> held.put(one.group(3), one.group(1)));
        return held;
    }

    private void open(Person claimant) {
        client.step("Clara opens a case.");
        JsonObject request = new JsonObject().put("title", "Claimant Shipping v. Respondent Cranes").put("ruleSet", "commercial");
        caseId = object(post("cases", "/cases/create", request, claimant.token())).getString("caseID");
    }

    private void addParticipant(String sentence, Person by, Person person, String party) {
        client.step(sentence);
        expect("Participant added.", post("cases", "/cases/participants/add",
                inCase().put("userID", person.id()).put("partyID", party).put("isPrimary", true), by.token()));
    }

    private void invite(Person manager, Person respondent) {
        client.step("Maya invites Rolf as the respondent, by his email: he would need no account yet.");
        String invitationId = object(post("cases", "/invitations/create",
                inCase().put("email", RESPONDENT_EMAIL).put("partyID", "respondent").put("isPrimary", true), manager.token())).getString("invitationID");
        client.step("Rolf accepts the invitation, and takes part from now on.");
        expect("Participant added.", post("cases", "/invitations/accept", new JsonObject().put("invitationID", invitationId), respondent.token()));
    }

    private String draft(Person by, String document, JsonObject fields) {
        client.step("%s drafts the %s.".formatted(by.firstName(), document));
        JsonObject filing = object(post("api", "/filings/create",
                inCase().put("documentID", document).put("fields", fields), by.token()));
        expect("draft", filing.getString("state"));
        return filing.getString("filingID");
    }

    /** Files the document itself: a PDF as a firm would write it, which ships with the platform. */
    private void attach(Person by, String filingId) {
        client.step("%s uploads the claim as her lawyers wrote it, a PDF.".formatted(by.firstName()));
        byte[] pdf;
        try (InputStream in = DemoCase.class.getResourceAsStream(CLAIM)) {
            pdf = in.readAllBytes();
        } catch (IOException failed) {
            throw new CommandFailure("the claim of the demo cannot be read: " + failed.getMessage());
        }
        Map<String, String> fields = new LinkedHashMap<>();
        filing(filingId).forEach(field -> fields.put(field.getKey(), String.valueOf(field.getValue())));
        fields.put("title", "Statement of claim, as signed");
        JsonObject file = client.upload("api", "/filings/files/upload", fields, new DemoClient.Upload("statement-of-claim.pdf", "application/pdf", pdf), by.token());
        expect(Sha256.hex(pdf), file.getString("sha256"));
    }

    private void check(Person by, String filingId) {
        client.step("%s checks whether it could be submitted.".formatted(by.firstName()));
        JsonObject check = object(post("api", "/filings/documents/check", filing(filingId), by.token()));
        expect(true, check.getBoolean("allowed"));
    }

    private void submit(Person by, String filingId) {
        client.step("%s submits it.".formatted(by.firstName()));
        expect("Document successfully submitted.", post("api", "/filings/documents/submit", filing(filingId), by.token()));
    }

    private void submitAgain(Person by, String filingId) {
        client.step("%s submits it once more, which is refused.".formatted(by.firstName()));
        expect("document is already submitted for approval",
                client.post("api", "/filings/documents/submit", filing(filingId), by.token(), CONFLICT));
    }

    private void approve(Person manager, String filingId) {
        client.step("Maya sees what waits for her and approves it: it goes onto the docket.");
        JsonArray pending = object(post("api", "/filings/documents/pending-approval", inCase(), manager.token()))
                .getJsonArray("filings");
        expect(filingId, pending.getJsonObject(0).getString("filingID"));
        expect("Document successfully approved.", post("api", "/filings/documents/approve", filing(filingId), manager.token()));
    }

    private void advance(Person manager, String phase) {
        client.step("Maya advances the case to the phase %s.".formatted(phase));
        JsonObject advanced = object(post("cases", "/cases/phases/advance", inCase().put("phaseID", phase), manager.token()));
        expect(phase, advanced.getString("phaseID"));
    }

    private void list(Person by) {
        client.step("%s reads the docket.".formatted(by.firstName()));
        JsonArray entries = object(post("api", "/docket/entries/list", inCase(), by.token())).getJsonArray("entries");
        expect(2, entries.size());
        expect("statementOfClaim", entries.getJsonObject(0).getString("documentID"));
        expect("answer", entries.getJsonObject(1).getString("documentID"));
    }

    private void verify(Person by) {
        client.step("%s verifies the docket: every hash is computed again.".formatted(by.firstName()));
        JsonObject verified = object(post("api", "/docket/verify", inCase(), by.token()));
        expect(true, verified.getBoolean("valid"));
        expect(2, verified.getInteger("entries"));
    }

    private void serve(Person manager) {
        client.step("Maya serves the answer on the witness Wanda by email, with notice of the hearing.");
        JsonArray entries = object(post("api", "/docket/entries/list", inCase(), manager.token())).getJsonArray("entries");
        String noticeId = object(post("api", "/service-of-notice/send", inCase()
                .put("entryID", entries.getJsonObject(1).getString("entryID"))
                .put("mailType", "hearingNotice")
                .put("recipients", new JsonArray().add(new JsonObject().put("email", "wanda.witness@demo.example")))
                .put("json", new JsonObject().put("hearingDate", "2027-03-04").put("hearingTime", "10:00").put("timeZone", "Europe/Paris")),
                manager.token())).getString("noticeID");
        client.step("She sees who was served, and how far the email has come.");
        JsonArray notices = object(post("api", "/service-of-notice/list", inCase(), manager.token())).getJsonArray("notices");
        expect(noticeId, notices.getJsonObject(0).getString("noticeID"));
    }

    private JsonObject inCase() {
        return new JsonObject().put("caseID", caseId);
    }

    private JsonObject filing(String filingId) {
        return inCase().put("filingID", filingId);
    }

    private Object post(String area, String path, JsonObject body, String token) {
        return client.post(area, path, body, token, OK);
    }

    private static JsonObject object(Object json) {
        if (json instanceof JsonObject object) {
            return object;
        }
        throw new CommandFailure("the last answer should be an object, not " + json);
    }

    private static void expect(Object expected, Object actual) {
        if (!expected.equals(actual)) {
            throw new CommandFailure("the last answer should say %s, not %s".formatted(expected, actual));
        }
    }
}
