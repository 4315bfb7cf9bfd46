package io.arbitration;

import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * A case in its first phase with people of its own: a claimant and a colleague, an observer of the claimant's side, a
 * respondent, a case manager, an arbitrator, and somebody who has no part in it.
 */
public record OpenCase(
        RunningPlatform platform, String caseId, Person claimant, Person colleague, Person observer, Person respondent, Person manager,
        Person arbitrator, Person outsider) {

    /** A document that the claimant files and the case manager approves. */
    public static final String APPROVED_DOCUMENT = "letterToTribunal";
    /** A document that is docketed by its submission. */
    public static final String UNAPPROVED_DOCUMENT = "noticeOfRepresentation";

    public static OpenCase on(RunningPlatform platform) {
        Person claimant = person(platform, "Clara", "Claimant");
        Person colleague = person(platform, "Carl", "Colleague");
        Person observer = person(platform, "Olga", "Observer");
        Person respondent = person(platform, "Rolf", "Respondent");
        Person manager = person(platform, "Maya", "Manager");
        Person arbitrator = person(platform, "Arno", "Arbitrator");
        Person outsider = person(platform, "Otto", "Outsider");
        return open(platform, claimant, colleague, observer, respondent, manager, arbitrator, outsider);
    }

    /** Another case of the same people. */
    public OpenCase another() {
        return open(platform, claimant, colleague, observer, respondent, manager, arbitrator, outsider);
    }

    /** A case of the same people that runs by a clock of its own. */
    public OpenCase sandbox() {
        return open(platform, new JsonObject().put("sandbox", true), claimant, colleague, observer, respondent, manager, arbitrator, outsider);
    }

    private static OpenCase open(RunningPlatform platform, Person claimant, Person colleague, Person observer, Person respondent,
            Person manager, Person arbitrator, Person outsider) {
        return open(platform, new JsonObject(), claimant, colleague, observer, respondent, manager, arbitrator, outsider);
    }

    private static OpenCase open(RunningPlatform platform, JsonObject more, Person claimant, Person colleague, Person observer, Person respondent,
            Person manager, Person arbitrator, Person outsider) {
        String caseId = required(platform.post("/cases/cases/create",
                new JsonObject().put("title", "Cranes v. Quarry").put("ruleSet", "commercial").mergeIn(more), claimant.token())).getString("caseID");
        OpenCase open = new OpenCase(platform, caseId, claimant, colleague, observer, respondent, manager, arbitrator, outsider);
        open.add(platform.administrator(), manager, "caseManager", false);
        open.add(claimant, colleague, "claimant", false);
        open.add(claimant, observer, "claimant", true);
        open.add(manager, respondent, "respondent", false);
        open.add(manager, arbitrator, "arbitrator", false);
        return open;
    }

    private static Person person(RunningPlatform platform, String first, String last) {
        return platform.signIn(first.toLowerCase() + "-" + UUID.randomUUID() + "@example.org", first, last);
    }

    /** Adds somebody to the case; {@code by} must be allowed to. */
    public void add(Person by, Person person, String partyId, boolean isObserver) {
        Answer answer = platform.post("/cases/cases/participants/add", new JsonObject().put("caseID", caseId)
                .put("userID", person.id()).put("partyID", partyId).put("isObserver", isObserver), by.token());
        if (answer.status() != 200) {
            throw new IllegalStateException("%d %s".formatted(answer.status(), answer.body()));
        }
    }

    private static JsonObject required(Answer answer) {
        if (answer.status() != 200) {
            throw new IllegalStateException("%d %s".formatted(answer.status(), answer.body()));
        }
        return answer.object();
    }

    /** Fields that make a document of this type complete. */
    public static JsonObject completeFields(String documentId) {
        return switch (documentId) {
            case "motion" -> new JsonObject().put("motionTitle", "Motion to extend time").put("requestedOrder", "Extend the time to answer by 14 days.");
            case "noticeOfRepresentation" -> new JsonObject().put("counselName", "Lena Law").put("counselEmail", "lena@law.example");
            case "letterToTribunal" -> new JsonObject().put("subject", "Availability").put("body", "We are available in May.");
            case "noticeToParties" -> new JsonObject().put("subject", "Housekeeping").put("body", "Please number your exhibits.");
            case "settlementAgreement" -> new JsonObject().put("terms", "Each side bears its costs.").put("signedBy", "Clara and Rolf");
            case "exhibitList" -> new JsonObject().put("exhibitCount", "1").put("exhibits", "C-1: the contract");
            case "withdrawalOfClaim" -> new JsonObject().put("claimsWithdrawn", "All of them.").put("withPrejudice", true);
            case "answer" -> new JsonObject().put("respondentName", "Quarry Ltd").put("denials", "All of it.").put("reliefSought", "Dismissal.");
            case "statementOfClaim" -> new JsonObject().put("claimantName", "Cranes Ltd").put("claimAmount", "125000.00 USD").put("reliefSought", "Payment of the price.");
            default -> throw new IllegalArgumentException(documentId);
        };
    }

    /** A request of the claimant for another day for the statement of claim, which nobody has made yet. */
    public JsonObject moreTime() {
        JsonObject deadline = required(on("/cases/deadlines/list", claimant, new JsonObject())).getJsonArray("deadlines").stream()
                .map(JsonObject.class::cast).filter(one -> one.getString("documentID").equals("statementOfClaim")).findFirst().orElseThrow();
        return new JsonObject().put("caseID", caseId).put("deadlineID", deadline.getString("deadlineID"))
                .put("until", Instant.parse(deadline.getString("date")).plusSeconds(86_400).toString()).put("reason", "Our witness travels.");
    }

    /** A draft by somebody; fails unless it is created. */
    public String draft(Person by, String documentId) {
        return required(create(by, documentId, completeFields(documentId))).getString("filingID");
    }

    public Answer create(Person by, String documentId, JsonObject fields) {
        return platform.post("/api/filings/create", new JsonObject().put("caseID", caseId).put("documentID", documentId).put("fields", fields), by.token());
    }

    /** {@code submit}, {@code withdraw}, {@code approve} or {@code check}. */
    public Answer document(String operation, Person by, String filingId, String... headers) {
        return platform.post("/api/filings/documents/" + operation, new JsonObject().put("caseID", caseId).put("filingID", filingId), by.token(), headers);
    }

    public Answer reject(Person by, String filingId, String reason) {
        return platform.post("/api/filings/documents/reject",
                new JsonObject().put("caseID", caseId).put("filingID", filingId).put("reason", reason), by.token());
    }

    public Answer update(Person by, String filingId, JsonObject changes, String... headers) {
        return platform.post("/api/filings/update", changes.copy().put("caseID", caseId).put("filingID", filingId), by.token(), headers);
    }

    public JsonObject view(Person by, String filingId) {
        return required(platform.post("/api/filings/view", new JsonObject().put("caseID", caseId).put("filingID", filingId), by.token()));
    }

    public Answer on(String path, Person by, JsonObject more) {
        return platform.post(path, more.copy().put("caseID", caseId), by.token());
    }

    /**
     * Copies the first docket entry until the docket has this many, in the database alone: the hashes of the copies do not hold.
     *
     * @param title of a copy, as an SQL expression of the first entry and of the number {@code n}; likewise its {@code fields}
     */
    public void copyFirstEntry(int entries, String title, String fields) throws SQLException {
        try (Connection owner = platform.sql(); Statement sql = owner.createStatement()) {
            sql.execute("set session_replication_role = replica");
            sql.execute("""
                    insert into mainapi.entries (entry_id, case_id, number, filing_id, entered_at, user_id, organization_id, phase_id,
                      document_id, party_id, title, fields, previous_hash, hash, version, salt)
                    select nextval('mainapi.entry_id'), case_id, n, nextval('mainapi.filing_id'), entered_at, user_id, organization_id, phase_id,
                      document_id, party_id, %s, %s, previous_hash, hash, version, salt
                    from mainapi.entries, generate_series(2, %d) n where case_id = '%s' and number = 1
                    """.formatted(title, fields, entries, caseId));
        }
    }

    /** Files, submits and approves a document of the claimant; its docket entry. */
    public String docketed(JsonObject more) {
        JsonObject body = new JsonObject().put("caseID", caseId).put("documentID", APPROVED_DOCUMENT)
                .put("fields", completeFields(APPROVED_DOCUMENT)).mergeIn(more);
        String filingId = required(platform.post("/api/filings/create", body, claimant.token())).getString("filingID");
        for (Answer answer : List.of(document("submit", claimant, filingId), document("approve", manager, filingId))) {
            if (answer.status() != 200) {
                throw new IllegalStateException("%d %s".formatted(answer.status(), answer.body()));
            }
        }
        return view(claimant, filingId).getString("entryID");
    }

    public JsonArray docket(Person by) {
        return required(on("/api/docket/entries/list", by, new JsonObject())).getJsonArray("entries");
    }

    public void close() {
        required(on("/cases/cases/close", manager, new JsonObject().put("reason", "settled")));
    }

    public void advanceTo(String phaseId) {
        required(on("/cases/cases/phases/advance", manager, new JsonObject().put("phaseID", phaseId)));
    }
}
