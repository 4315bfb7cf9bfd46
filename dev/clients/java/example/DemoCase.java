import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.arbitration.client.*;
import io.arbitration.client.api.*;
import io.arbitration.client.model.*;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A case from sign-in to docket through the client, on a platform in the demo profile. */
public class DemoCase {

    static final Path CLAIM = Path.of("../../../src/main/resources/demo/statement-of-claim.pdf");

    public static void main(String[] arguments) throws Exception {
        String url = arguments.length > 0 ? arguments[0] : "http://localhost:8080";
        // Each calls as a person. Tokens are renewed, and calls repeated, by the client.
        Platform administrator = new Platform(url, Credentials.signIn("demo", idToken(url, "admin@demo.example", "Ada", "Administrator")));
        Platform claimant = new Platform(url, Credentials.signIn("demo", idToken(url, "clara@clients.example", "Clara", "Claimant")));
        Platform manager = new Platform(url, Credentials.signIn("demo", idToken(url, "maya@java.example", "Maya", "Manager")));

        // Webhooks go to organizations, and Clara's has a server: this program.
        if (new UsersApi(claimant).viewCurrentUser().getOrganizationID() == null) {
            new OrganizationsApi(claimant).createOrganization(new CreateOrganizationRequest().name("Claimant Shipping GmbH"), null);
        }
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        String hook = "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
        WebhookUrlsApi urls = new WebhookUrlsApi(claimant);
        BlockingQueue<DocketFilingEvent> docketed = listen(server, urls.createWebhookUrl(new CreateWebhookUrlRequest().url(hook), null).getSecret());
        try {
            play(administrator, claimant, manager, docketed);
        } finally {
            server.stop(0);
        }
        System.out.println(urls.deleteWebhookUrl(new NamedWebhookUrlRequest().url(hook), null));
    }

    static void play(Platform administrator, Platform claimant, Platform manager, BlockingQueue<DocketFilingEvent> docketed) throws Exception {
        // A case, and who decides in it.
        CasesApi cases = new CasesApi(claimant);
        String caseId = cases.createCase(new CreateCaseRequest().title("Crânes v. Quarry 採石場").ruleSet("commercial"), null).getCaseID();
        System.out.println("case " + caseId);
        String managerId = new UsersApi(manager).viewCurrentUser().getId();
        new ParticipantsApi(administrator).addParticipant(
                new AddParticipantRequest().caseID(caseId).userID(managerId).partyID("caseManager").isPrimary(true), null, null);

        // Clara files her claim, with its PDF; what is wrong with it she is told in words.
        Map<String, Object> claim = Map.of("claimantName", "Claimant Shipping GmbH", "respondentName", "Respondent Cranes Ltd",
                "claimAmount", "125000.00", "reliefSought", "Damages for two cranes that came late.", "expeditedRequested", false);
        String filingId = new FilingsApi(claimant).createFiling(
                new CreateFilingRequest().caseID(caseId).documentID("statementOfClaim").fields(claim), null).getFilingID();
        Uploads uploads = new Uploads(claimant);
        FilingFile filed = uploads.uploadFilingFile(caseId, filingId, CLAIM);
        System.out.println("filed " + filed.getFileName() + " of " + filed.getPages() + " pages");
        SubmitDocumentRequest submission = new SubmitDocumentRequest().caseID(caseId).filingID(filingId);
        System.out.println(new DocumentsApi(claimant).submitDocument(submission, null, null));
        try {
            new DocumentsApi(claimant).submitDocument(submission, null, null);
            throw new AssertionError("submitted twice");
        } catch (PlatformException refused) {
            // Programs go by the error code, which never changes. One that a later version adds is UNKNOWN_DEFAULT_OPEN_API.
            if (refused.getErrorCode() == ErrorCode.FILING_ALREADY_SUBMITTED) {
                System.out.println("refused with " + refused.getStatus() + ": " + refused.getReason());
            }
        }

        // Maya approves it, it is on the docket, and the platform tells Clara's server of it.
        System.out.println(new DocumentsApi(manager).approveDocument(new ApproveDocumentRequest().caseID(caseId).filingID(filingId), null, null));
        DocketApi docket = new DocketApi(claimant);
        Pages.itemsAfter((String after) -> docket.listDocketEntries(new ListDocketEntriesRequest().caseID(caseId).afterEntryID(after)).getEntries(),
                DocketEntry::getEntryID).forEach(entry ->
                System.out.println("docket entry " + entry.getEntryID() + ": " + entry.getDocumentID() + " of " + entry.getEnteredAt()));
        System.out.println("docket valid: " + docket.verifyDocket(new VerifyDocketRequest().caseID(caseId)).getValid());
        DocketFilingEvent event;
        do {
            event = Objects.requireNonNull(docketed.poll(20, TimeUnit.SECONDS), "no webhook within 20 s");
        } while (!caseId.equals(event.getData().getCaseID()));
        System.out.println("webhook verified: " + event.getEvent() + " of " + event.getData().getDocumentID());

        // Every case of hers, page by page.
        System.out.println("cases: " + Pages.items(cursor -> cases.listCases(new ListCasesRequest().limit(200).cursor(cursor)),
                CaseList::getCases, CaseList::getNextCursor).count());

        // A form is filled, kept as evidence, and comes back as it was.
        Path form = new PdfTemplatesApi(claimant).fillPdfTemplate(new FillPdfTemplateRequest().documentID("noticeOfHearing")
                .placeholders(Map.of("caseTitle", "Cranes v. Quarry", "hearingDate", "2027-03-04"))).toPath();
        System.out.println("filled form: " + new String(Files.readAllBytes(form), 0, 5));
        EvidenceUpload upload = uploads.createEvidenceUpload(caseId, "correspondence", "Notice of hearing 開庭通知", form, new UploadOptions()
                .progress((sent, total) -> System.out.println("sent " + 100 * sent / total + " %")));
        Path stored = new EvidenceApi(claimant).downloadEvidenceUpload(
                new NamedEvidenceUploadRequest().caseID(caseId).uploadID(upload.getUploadID()), null, null).toPath();
        System.out.println("evidence " + upload.getUploadID() + ", the same bytes: " + (Files.mismatch(form, stored) == -1));
    }

    /** Your identity provider signs the ID token; here it is the one of the demo. */
    static String idToken(String url, String email, String firstName, String lastName) throws Exception {
        ObjectMapper json = new ObjectMapper();
        String person = json.writeValueAsString(Map.of("email", email, "first_name", firstName, "last_name", lastName));
        String answer = HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create(url + "/auth/demo/id-token"))
                .header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(person)).build(),
                HttpResponse.BodyHandlers.ofString()).body();
        return json.readTree(answer).path("idToken").asText();
    }

    /** A server as an organization runs it: it verifies, answers at once, and looks at the events afterwards. */
    static BlockingQueue<DocketFilingEvent> listen(HttpServer server, String secret) {
        BlockingQueue<DocketFilingEvent> docketed = new LinkedBlockingQueue<>();
        WebhookVerifier verifier = new WebhookVerifier(secret);
        server.createContext("/hook", exchange -> {
            try {
                Webhook webhook = verifier.verify(exchange.getRequestHeaders()::getFirst, exchange.getRequestBody().readAllBytes());
                // A kind that is newer than this client is a WebhookEvent, and can be passed over.
                if (webhook.event() instanceof DocketFilingEvent filing) {
                    docketed.add(filing);
                }
                exchange.sendResponseHeaders(204, -1);
            } catch (WebhookException refused) {
                exchange.sendResponseHeaders(401, -1);
            }
            exchange.close();
        });
        server.start();
        return docketed;
    }
}
