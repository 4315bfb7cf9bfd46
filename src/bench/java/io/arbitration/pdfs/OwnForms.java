package io.arbitration.pdfs;

import static io.arbitration.pdfs.FormSheet.choice;
import static io.arbitration.pdfs.FormSheet.comb;
import static io.arbitration.pdfs.FormSheet.date;
import static io.arbitration.pdfs.FormSheet.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The templates of our own making. Fields that a document type has are named as there, so that what was filed fills the form.
 */
public final class OwnForms {

    private static final Map<String, Supplier<FormSheet>> FORMS = forms();

    private OwnForms() {}

    /** Writes every form into a folder, named by its document ID; answers the files. */
    public static List<Path> write(Path folder) throws IOException {
        Files.createDirectories(folder);
        List<Path> written = new ArrayList<>();
        for (Map.Entry<String, Supplier<FormSheet>> form : FORMS.entrySet()) {
            written.add(Files.write(folder.resolve(form.getKey() + ".pdf"), form.getValue().get().bytes()));
        }
        return written;
    }

    private static Map<String, Supplier<FormSheet>> forms() {
        Map<String, Supplier<FormSheet>> forms = new LinkedHashMap<>();
        forms.put("statementOfClaim", OwnForms::statementOfClaim);
        forms.put("answer", OwnForms::answer);
        forms.put("noticeOfHearing", OwnForms::noticeOfHearing);
        forms.put("proceduralOrder", OwnForms::proceduralOrder);
        forms.put("certificateOfService", OwnForms::certificateOfService);
        forms.put("award", OwnForms::award);
        return forms;
    }

    private static FormSheet sheet(String documentId, String title, String subtitle) {
        return new FormSheet(documentId, title, subtitle).row(text("caseTitle", "Case", 3, 300), text("caseNumber", "Case number", 1.2, 36));
    }

    private static FormSheet party(FormSheet sheet, String heading, String prefix) {
        return sheet.section(heading)
                .row(text(prefix + "Name", "Name", 2, 200), text(prefix + "Phone", "Telephone", 1, 25))
                .row(text(prefix + "Address", "Street address", 2, 500), text(prefix + "City", "City", 1, 100))
                .row(text(prefix + "State", "State or region", 1, 100), text(prefix + "Zipcode", "Postal code", 0.6, 10),
                        text(prefix + "Email", "Email for service", 1.4, 254));
    }

    private static FormSheet signed(FormSheet sheet, String who) {
        return sheet.section("Signature")
                .row(text("signedBy", "Name of " + who, 2, 200), date("signatureDate", "Date", 1))
                .signature("signature", "Signature of " + who);
    }

    private static FormSheet statementOfClaim() {
        FormSheet sheet = sheet("statementOfClaim", "Statement of claim",
                "The claimant brings the dispute described here to arbitration under the agreement of the parties.");
        party(sheet, "Claimant", "claimant").row(text("claimantWebsite", "Website", 1, 500));
        party(party(sheet, "Counsel of the claimant", "counsel"), "Respondent", "respondent");
        sheet.section("Agreement to arbitrate")
                .row(date("agreementDate", "Date of the agreement", 1), text("agreementClause", "Clause", 1, 60), text("governingLaw", "Governing law", 1, 100))
                .lines("arbitrationClause", "Wording of the clause", 5000, 90)
                .row(text("seat", "Proposed seat", 1, 100), choice("language", "Language of the proceedings", 1, "English", "French", "Spanish", "Arabic", "Chinese", "Russian"),
                        comb("proposedArbitrators", "Arbitrators", 0.4, 2))
                .choose("ruleSet", "Rules", "commercial", "Commercial rules", "expedited", "Expedited rules");
        sheet.section("Claim")
                .lines("statementOfFacts", "What happened", 50_000, 150)
                .lines("legalGrounds", "Why the claimant is entitled to what it asks for", 50_000, 110)
                .row(text("disputeYear", "Year of the dispute", 0.6, 4), text("firstUnpaidMonth", "First month unpaid", 0.7, 7), text("claimAmount", "Amount claimed", 1, 30),
                        comb("currency", "Currency", 0.5, 3), text("interestRate", "Interest, percent a year", 0.8, 10))
                .lines("reliefSought", "Relief sought", 10_000, 110)
                .tick("expeditedRequested", "The claimant asks for expedited proceedings.")
                .tick("hearingRequested", "The claimant asks for a hearing.")
                .tick("feePaid", "The filing fee has been paid.");
        return signed(sheet, "the claimant or its counsel");
    }

    private static FormSheet answer() {
        FormSheet sheet = sheet("answer", "Answer", "The respondent answers the statement of claim.");
        party(party(sheet, "Respondent", "respondent"), "Counsel of the respondent", "counsel");
        sheet.section("Answer")
                .lines("admissions", "Facts admitted", 20_000, 100)
                .lines("denials", "Facts denied", 50_000, 150)
                .lines("defenses", "Defenses", 50_000, 150)
                .row(text("amountAdmitted", "Amount admitted", 1, 30), comb("currency", "Currency", 0.5, 3))
                .lines("reliefSought", "Relief sought", 10_000, 100)
                .tick("counterclaimIntended", "A counterclaim will follow.")
                .tick("jurisdictionContested", "The respondent contests the jurisdiction of the tribunal.")
                .choose("hearing", "The respondent asks for", "inPerson", "a hearing in person", "remote", "a remote hearing", "documents", "a decision on documents");
        return signed(sheet, "the respondent or its counsel");
    }

    private static FormSheet noticeOfHearing() {
        FormSheet sheet = sheet("noticeOfHearing", "Notice of hearing", "The parties and their counsel are summoned to the hearing named here.");
        sheet.section("Hearing")
                .row(date("hearingDate", "Date", 1), text("hearingTime", "Time", 0.6, 8), text("timeZone", "Time zone", 0.8, 50), text("durationHours", "Hours", 0.4, 5))
                .choose("mode", "Held", "inPerson", "in person", "remote", "by video", "hybrid", "both")
                .row(text("hearingAddress", "Street address", 2, 500), text("hearingCity", "City", 1, 100))
                .row(text("hearingState", "State or region", 1, 100), text("hearingZipcode", "Postal code", 0.6, 10), text("room", "Room", 0.6, 60))
                .row(text("remoteUrl", "Address of the video conference", 2, 500), text("dialIn", "Telephone dial-in", 1, 25))
                .row(choice("language", "Language", 1, "English", "French", "Spanish", "Arabic", "Chinese", "Russian"), text("interpreter", "Interpreter", 2, 200));
        sheet.section("Parties and tribunal")
                .row(text("claimantName", "Claimant", 1, 200), text("claimantCounsel", "Counsel of the claimant", 1, 200))
                .row(text("respondentName", "Respondent", 1, 200), text("respondentCounsel", "Counsel of the respondent", 1, 200))
                .row(text("presidingArbitrator", "Presiding arbitrator", 1, 200), text("secondArbitrator", "Arbitrator", 1, 200), text("thirdArbitrator", "Arbitrator", 1, 200));
        sheet.section("To be prepared")
                .lines("agenda", "Agenda", 10_000, 120)
                .lines("witnesses", "Witnesses and experts to be heard", 5000, 80)
                .row(date("exhibitsDue", "Exhibits due by", 1), date("briefsDue", "Briefs due by", 1))
                .tick("recording", "The hearing is recorded.")
                .tick("interpretation", "Interpretation is provided.")
                .sentence("Who does not appear may find the case decided on the evidence before the tribunal.")
                .row(text("issuedBy", "Issued by", 2, 200), date("issuedOn", "Date", 1))
                .signature("signature", "Signature of the case manager");
        return sheet;
    }

    private static FormSheet proceduralOrder() {
        FormSheet sheet = sheet("proceduralOrder", "Procedural order", "The tribunal orders as follows.");
        sheet.section("Order")
                .row(text("orderNumber", "Number", 0.4, 4), text("orderTitle", "Title", 2, 200), date("effectiveDate", "In force from", 0.9))
                .row(text("claimantName", "Claimant", 1, 200), text("respondentName", "Respondent", 1, 200))
                .lines("considerations", "Having considered", 20_000, 120)
                .lines("orderText", "The tribunal orders", 50_000, 260);
        sheet.section("Dates set")
                .row(date("complianceDate", "To be complied with by", 1), text("complianceTime", "Time of day", 0.6, 8))
                .row(date("claimantSubmissionDue", "Submission of the claimant", 1), date("respondentSubmissionDue", "Submission of the respondent", 1), date("replyDue", "Reply", 1))
                .row(text("conferenceUrl", "Address of the conference", 1, 500))
                .choose("costs", "Costs of this order", "reserved", "are reserved", "claimant", "are the claimant's", "respondent", "are the respondent's");
        sheet.section("Tribunal")
                .row(text("presidingArbitrator", "Presiding arbitrator", 1, 200), text("secondArbitrator", "Arbitrator", 1, 200), text("thirdArbitrator", "Arbitrator", 1, 200))
                .row(text("seatCity", "Seat", 1, 100), date("orderDate", "Date", 1))
                .signature("signature", "Signature for the tribunal");
        return sheet;
    }

    private static FormSheet certificateOfService() {
        FormSheet sheet = sheet("certificateOfService", "Proof of service", "Who signs certifies that the document named here was served as described.");
        sheet.section("Service")
                .row(text("documentServed", "Document served", 2, 300), text("documentNumber", "Docket entry", 0.6, 20))
                .row(text("servedOn", "Served on", 2, 200), text("capacity", "As", 1, 100))
                .row(date("serviceDate", "Date of service", 1), text("serviceTime", "Time of service", 0.7, 8), text("timeZone", "Time zone", 0.8, 50))
                .choose("method", "Served by", "hand", "hand", "courier", "courier", "mail", "registered mail", "email", "email")
                .row(text("serviceAddress", "Address of service", 1, 500))
                .row(text("serviceEmail", "Email of service", 1, 254), text("messageId", "Message ID", 1, 250))
                .row(text("trackingUrl", "Carrier's tracking page", 1.4, 500), text("trackingNumber", "Tracking number", 0.8, 60))
                .lines("attachments", "Attachments, with their SHA-256", 10_000, 110)
                .lines("remarks", "Remarks", 5000, 70)
                .tick("receiptObtained", "The recipient confirmed the receipt.")
                .tick("refused", "The recipient refused to take the document.");
        return signed(sheet, "the person who served");
    }

    private static FormSheet award() {
        FormSheet sheet = sheet("award", "Award", "The tribunal, duly appointed, decides the dispute between the parties as follows.");
        sheet.section("Parties and tribunal")
                .row(text("claimantName", "Claimant", 1, 200), text("claimantCounsel", "Counsel of the claimant", 1, 200))
                .row(text("respondentName", "Respondent", 1, 200), text("respondentCounsel", "Counsel of the respondent", 1, 200))
                .row(text("presidingArbitrator", "Presiding arbitrator", 1, 200), text("secondArbitrator", "Arbitrator", 1, 200), text("thirdArbitrator", "Arbitrator", 1, 200))
                .row(date("hearingDate", "Heard on", 1), text("hearingCity", "In", 1, 100));
        sheet.section("Decision")
                .row(text("prevailingParty", "Prevailing party", 1, 200))
                .lines("disposition", "Disposition", 10_000, 150)
                .row(text("amountAwarded", "Amount awarded", 1, 30), comb("currency", "Currency", 0.5, 3), text("interestRate", "Interest, percent a year", 0.8, 10))
                .row(text("costsAwarded", "Costs awarded", 1, 30), choice("costsBorneBy", "Costs borne by", 1, "claimant", "respondent", "both in equal parts"),
                        date("paymentDueDate", "Payable by", 1));
        sheet.section("Reasons")
                .lines("facts", "Facts found", 50_000, 190)
                .lines("reasons", "Reasons", 50_000, 300)
                .choose("decision", "The decision is", "unanimous", "unanimous", "majority", "by majority", "sole", "that of the sole arbitrator")
                .tick("dissent", "A dissenting opinion is attached.");
        sheet.section("Seat and date")
                .row(text("seatCity", "City", 1, 100), text("seatState", "State or region", 1, 100), date("awardDate", "Date of the award", 1))
                .signature("presidingSignature", "Presiding arbitrator")
                .signature("secondSignature", "Arbitrator")
                .signature("thirdSignature", "Arbitrator");
        return sheet;
    }
}
