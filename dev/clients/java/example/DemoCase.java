import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.arbitration.client.ApiClient;
import io.arbitration.client.ApiException;
import io.arbitration.client.api.*;
import io.arbitration.client.model.*;
import java.io.File;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A case from sign-in to docket through the generated client, on a platform in the demo profile. */
public class DemoCase {

    static final ObjectMapper JSON = new ObjectMapper();
    /** Reads what the platform answers and posts as the models of the client. */
    static final ObjectMapper MODELS = ApiClient.createDefaultObjectMapper();
    static final String NEWER = """
            {"id": "0b9d7a52-6d1c-4a57-8a6e-1c2f3d4e5f60", "timestamp": "2030-01-01T00:00:00.000Z", "event": "a_newer_kind", "data": {"caseID": "7"}}""";

    public static void main(String[] arguments) throws Exception {
        String url = arguments.length > 0 ? arguments[0] : "http://localhost:8080";
        BlockingQueue<Webhook> webhooks = new LinkedBlockingQueue<>();
        HttpServer server = listen(webhooks);
        try {
            play(url, "http://127.0.0.1:" + server.getAddress().getPort() + "/hook", webhooks);
        } finally {
            server.stop(0);
        }
    }

    static void play(String url, String hook, BlockingQueue<Webhook> webhooks) throws Exception {
        ApiClient administrator = signIn(url, "admin@demo.example", "Ada", "Administrator");
        ApiClient claimant = signIn(url, "clara@clients.example", "Clara", "Claimant");
        ApiClient manager = signIn(url, "maya@java.example", "Maya", "Manager");

        // Webhooks go to organizations, and Clara's has a server: this program.
        if (new UsersApi(claimant).viewCurrentUser().getOrganizationID() == null) {
            new OrganizationsApi(claimant).createOrganization(new CreateOrganizationRequest().name("Claimant Shipping GmbH"), null);
        }
        WebhookUrlsApi urls = new WebhookUrlsApi(claimant);
        String secret = urls.createWebhookUrl(new CreateWebhookUrlRequest().url(hook), null).getSecret();

        // A case, and who decides in it.
        String caseId = new CasesApi(claimant)
                .createCase(new CreateCaseRequest().title("Crânes v. Quarry 採石場").ruleSet("commercial"), null).getCaseID();
        System.out.println("case " + caseId);
        String managerId = new UsersApi(manager).viewCurrentUser().getId();
        new ParticipantsApi(administrator).addParticipant(
                new AddParticipantRequest().caseID(caseId).userID(managerId).partyID("caseManager").isPrimary(true), null, null);

        // Clara files her claim; what is wrong with it she is told in words.
        FilingsApi filings = new FilingsApi(claimant);
        Map<String, Object> claim = Map.of("claimantName", "Claimant Shipping GmbH", "respondentName", "Respondent Cranes Ltd",
                "claimAmount", "125000.00", "reliefSought", "Damages for two cranes that came late.", "expeditedRequested", false);
        String filingId = filings.createFiling(
                new CreateFilingRequest().caseID(caseId).documentID("statementOfClaim").fields(claim), null).getFilingID();
        // The claim itself is a PDF.
        FilingFile filed = new FilingFilesApi(claimant).uploadFilingFile(caseId, filingId, new File("../../../src/main/resources/demo/statement-of-claim.pdf"), null, null, null);
        System.out.println("filed " + filed.getFileName() + " of " + filed.getPages() + " pages");
        SubmitDocumentRequest submission = new SubmitDocumentRequest().caseID(caseId).filingID(filingId);
        System.out.println(new DocumentsApi(claimant).submitDocument(submission, null, null));
        try {
            new DocumentsApi(claimant).submitDocument(submission, null, null);
            throw new AssertionError("submitted twice");
        } catch (ApiException refused) {
            String reason = JSON.readValue(refused.getResponseBody(), String.class);
            System.out.println("refused with " + refused.getCode() + ": " + reason);
            // Programs go by the error code, which never changes. One that a later version adds has a value of its own.
            ErrorCode code = ErrorCode.fromValue(refused.getResponseHeaders().firstValue("Error-Code").orElseThrow());
            if (code == ErrorCode.FILING_ALREADY_SUBMITTED && ErrorCode.fromValue("filing.newer") == ErrorCode.UNKNOWN_DEFAULT_OPEN_API) {
                System.out.println("the error code " + code + " is known, and one of a later version is taken");
            }
        }

        // Maya approves it, and it is on the docket.
        System.out.println(new DocumentsApi(manager).approveDocument(
                new ApproveDocumentRequest().caseID(caseId).filingID(filingId), null, null));
        DocketApi docket = new DocketApi(claimant);
        for (DocketEntry entry : docket.listDocketEntries(new ListDocketEntriesRequest().caseID(caseId)).getEntries()) {
            System.out.println("docket entry " + entry.getEntryID() + ": " + entry.getDocumentID() + " of " + entry.getEnteredAt());
        }
        System.out.println("docket valid: " + docket.verifyDocket(new VerifyDocketRequest().caseID(caseId)).getValid());

        // The platform tells Clara's server of it.
        WebhookEvent event = next(webhooks, secret, caseId);
        DocketFilingData docketed = MODELS.convertValue(event.getData(), DocketFilingData.class);
        System.out.println("webhook verified: " + event.getEvent() + " of " + docketed.getDocumentID());
        // A kind that is newer than this client is read, too, and can be passed over.
        System.out.println("newer kind: " + MODELS.readValue(NEWER, WebhookEvent.class).getEvent());

        // Every case of hers, page by page.
        int cases = 0;
        ListCasesRequest page = new ListCasesRequest().limit(200);
        do {
            CaseList found = new CasesApi(claimant).listCases(page);
            cases += found.getCases().size();
            page.setCursor(found.getNextCursor());
        } while (page.getCursor() != null);
        System.out.println("cases: " + cases);

        // A form is filled, kept as evidence, and comes back as it was.
        File form = new PdfTemplatesApi(claimant).fillPdfTemplate(new FillPdfTemplateRequest().documentID("noticeOfHearing")
                .placeholders(Map.of("caseTitle", "Cranes v. Quarry", "hearingDate", "2027-03-04")));
        byte[] pdf = Files.readAllBytes(form.toPath());
        System.out.println("filled form: " + new String(pdf, 0, 5));
        EvidenceApi evidence = new EvidenceApi(claimant);
        EvidenceUpload upload = evidence.createEvidenceUpload(caseId, "correspondence", "Notice of hearing 開庭通知", form, null);
        byte[] stored = Files.readAllBytes(
                evidence.downloadEvidenceUpload(new NamedEvidenceUploadRequest().caseID(caseId).uploadID(upload.getUploadID()), null, null).toPath());
        System.out.println("evidence " + upload.getUploadID() + ", the same bytes: " + Arrays.equals(pdf, stored));

        System.out.println(urls.deleteWebhookUrl(new NamedWebhookUrlRequest().url(hook), null));
    }

    /** A client that calls as this person. Your identity provider signs the ID token; here it is the one of the demo. */
    static ApiClient signIn(String url, String email, String firstName, String lastName) throws Exception {
        String person = JSON.writeValueAsString(Map.of("email", email, "first_name", firstName, "last_name", lastName));
        String answer = HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create(url + "/auth/demo/id-token"))
                .header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(person)).build(),
                HttpResponse.BodyHandlers.ofString()).body();
        ApiClient client = new ApiClient();
        client.updateBaseUri(url);
        TokenSet tokens = new AuthenticationApi(client)
                .authenticateWithIdentityProvider("demo", new AuthenticateRequest().idToken(JSON.readTree(answer).path("idToken").asText()));
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + tokens.getAccessToken()));
        return client;
    }

    /** A webhook as it came. */
    record Webhook(String id, String timestamp, String signatures, byte[] body) {}

    static HttpServer listen(BlockingQueue<Webhook> webhooks) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/hook", exchange -> {
            var headers = exchange.getRequestHeaders();
            webhooks.add(new Webhook(headers.getFirst("webhook-id"), headers.getFirst("webhook-timestamp"),
                    headers.getFirst("webhook-signature"), exchange.getRequestBody().readAllBytes()));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        return server;
    }

    /** The next event of a case, from a webhook whose signature holds. */
    static WebhookEvent next(BlockingQueue<Webhook> webhooks, String secret, String caseId) throws Exception {
        while (true) {
            Webhook webhook = Objects.requireNonNull(webhooks.poll(20, TimeUnit.SECONDS), "no webhook within 20 s");
            if (!verified(webhook, secret)) {
                throw new SecurityException("not signed with the secret of its URL: " + webhook.id());
            }
            WebhookEvent event = MODELS.readValue(webhook.body(), WebhookEvent.class);
            if (caseId.equals(event.getData().get("caseID"))) {
                return event;
            }
        }
    }

    static boolean verified(Webhook webhook, String secret) throws GeneralSecurityException {
        if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(webhook.timestamp())) > 300) {
            return false;
        }
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
        mac.update((webhook.id() + "." + webhook.timestamp() + ".").getBytes());
        byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(webhook.body()))).getBytes();
        return Arrays.stream(webhook.signatures().split(" ")).anyMatch(one -> MessageDigest.isEqual(one.getBytes(), expected));
    }
}
