"""A case from sign-in to docket through the generated client, on a platform in the demo profile."""

import json
import queue
import sys
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import arbitration_client as acp


def signed_in(url: str, email: str, first_name: str, last_name: str) -> acp.Platform:
    """The platform as this person has it. Your identity provider signs the ID token; here it is the one of the demo."""
    person = json.dumps({"email": email, "first_name": first_name, "last_name": last_name}).encode()
    request = urllib.request.Request(url + "/auth/demo/id-token", person, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        id_token = json.load(answer)["idToken"]
    # A server stores the refresh token of each token set (on_tokens), and goes on with Credentials.resume.
    return acp.Platform(url, acp.Credentials.sign_in("demo", id_token))


class Receiver(BaseHTTPRequestHandler):
    """A server as an organization runs it: it takes webhooks and answers at once."""

    verifier: acp.WebhookVerifier
    arrived: "queue.Queue[acp.Event]" = queue.Queue()

    def do_POST(self) -> None:
        try:
            webhook = self.verifier.verify(self.headers, self.rfile.read(int(self.headers["content-length"])))
            self.arrived.put(webhook.event)
            self.send_response(204)
        except acp.WebhookError:
            self.send_response(401)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def next_filing(case_id: str) -> acp.DocketFilingEvent:
    """The next document on the docket of a case that a webhook tells of."""
    while True:
        event = Receiver.arrived.get(timeout=20)
        if isinstance(event, acp.DocketFilingEvent) and event.data.case_id == case_id:
            return event


def play(url: str, hook: str) -> None:
    administrator = signed_in(url, "admin@demo.example", "Ada", "Administrator")
    claimant = signed_in(url, "clara@clients.example", "Clara", "Claimant")
    manager = signed_in(url, "maya@python.example", "Maya", "Manager")

    # Webhooks go to organizations, and Clara's has a server: this program.
    if acp.UsersApi(claimant).view_current_user().organization_id is None:
        acp.OrganizationsApi(claimant).create_organization(acp.CreateOrganizationRequest(name="Claimant Shipping GmbH"))
    urls = acp.WebhookUrlsApi(claimant)
    secret = urls.create_webhook_url(acp.CreateWebhookUrlRequest(url=hook)).secret
    # Only this answer has it.
    assert secret is not None
    Receiver.verifier = acp.WebhookVerifier(secret)

    # A case, and who decides in it.
    case_id = acp.CasesApi(claimant).create_case(acp.CreateCaseRequest(title="Crânes v. Quarry 採石場", rule_set="commercial")).case_id
    print("case", case_id)
    acp.ParticipantsApi(administrator).add_participant(acp.AddParticipantRequest(
        case_id=case_id, user_id=acp.UsersApi(manager).view_current_user().id, party_id="caseManager", is_primary=True))

    # Clara files her claim; what is wrong with it she is told in words.
    claim = {"claimantName": "Claimant Shipping GmbH", "respondentName": "Respondent Cranes Ltd", "claimAmount": "125000.00",
             "reliefSought": "Damages for two cranes that came late.", "expeditedRequested": False}
    filing = acp.FilingsApi(claimant).create_filing(
        acp.CreateFilingRequest(case_id=case_id, document_id="statementOfClaim", fields=claim))
    # The claim itself is a PDF, read while it is sent.
    filed = acp.Uploads(claimant).upload_filing_file(case_id, filing.filing_id, "../../../src/main/resources/demo/statement-of-claim.pdf")
    print(f"filed {filed.file_name} of {filed.pages} pages")
    submission = acp.SubmitDocumentRequest(case_id=case_id, filing_id=filing.filing_id)
    print(acp.DocumentsApi(claimant).submit_document(submission))
    try:
        acp.DocumentsApi(claimant).submit_document(submission)
        raise AssertionError("submitted twice")
    except acp.PlatformError as refused:
        # Programs go by refused.error_code, such as acp.ErrorCode.FILING_ALREADY_SUBMITTED.
        print(f"refused with {refused.status}: {refused.reason}")

    # Maya approves it, and it is on the docket.
    print(acp.DocumentsApi(manager).approve_document(acp.ApproveDocumentRequest(case_id=case_id, filing_id=filing.filing_id)))
    docket = acp.DocketApi(claimant)
    for entry in docket.list_docket_entries(acp.ListDocketEntriesRequest(case_id=case_id)).entries:
        print(f"docket entry {entry.entry_id}: {entry.document_id} of {entry.entered_at.isoformat()}")
    print("docket valid:", str(docket.verify_docket(acp.VerifyDocketRequest(case_id=case_id)).valid).lower())

    # The platform tells Clara's server of it.
    told = next_filing(case_id)
    print("webhook verified:", told.event, "of", told.data.document_id)

    # Every case of hers, page by page.
    cases = acp.CasesApi(claimant)
    every = acp.items(lambda cursor: cases.list_cases(acp.ListCasesRequest(cursor=cursor, limit=200)), lambda page: page.cases)
    print("cases:", sum(1 for _ in every))

    # A form is filled, kept as evidence, and comes back as it was.
    pdf = acp.PdfTemplatesApi(claimant).fill_pdf_template(acp.FillPdfTemplateRequest(
        document_id="noticeOfHearing", placeholders={"caseTitle": "Cranes v. Quarry", "hearingDate": "2027-03-04"}))
    print("filled form:", pdf[:5].decode())
    evidence = acp.EvidenceApi(claimant)
    upload = evidence.create_evidence_upload(case_id, "correspondence", "Notice of hearing 開庭通知", ("notice.pdf", pdf))
    stored = evidence.download_evidence_upload(acp.NamedEvidenceUploadRequest(case_id=case_id, upload_id=upload.upload_id))
    print(f"evidence {upload.upload_id}, the same bytes:", str(stored == pdf).lower())

    print(urls.delete_webhook_url(acp.NamedWebhookUrlRequest(url=hook)))


server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=server.serve_forever, daemon=True).start()
play(sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8080", f"http://127.0.0.1:{server.server_port}/hook")
