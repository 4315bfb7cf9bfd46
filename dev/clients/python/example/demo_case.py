"""A case from sign-in to docket through the generated client, on a platform in the demo profile."""

import base64
import hashlib
import hmac
import json
import queue
import sys
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import arbitration_client as acp
from arbitration_client.exceptions import ApiException


def sign_in(url, email, first_name, last_name):
    """A client that calls as this person. Your identity provider signs the ID token; here it is the one of the demo."""
    person = json.dumps({"email": email, "first_name": first_name, "last_name": last_name}).encode()
    request = urllib.request.Request(url + "/auth/demo/id-token", person, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        id_token = json.load(answer)["idToken"]
    client = acp.ApiClient(acp.Configuration(host=url))
    tokens = acp.AuthenticationApi(client).authenticate_with_identity_provider("demo", acp.AuthenticateRequest(id_token=id_token))
    client.configuration.access_token = tokens.access_token
    return client


class Receiver(BaseHTTPRequestHandler):
    """A server as an organization runs it: it takes webhooks and answers at once."""

    arrived = queue.Queue()

    def do_POST(self):
        self.arrived.put((self.headers, self.rfile.read(int(self.headers["content-length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def verified(headers, body, secret):
    event_id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"{event_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    return any(hmac.compare_digest(one.encode(), expected) for one in headers["webhook-signature"].split())


def next_webhook(secret, case_id):
    """The next webhook of a case, whose signature holds."""
    while True:
        headers, body = Receiver.arrived.get(timeout=20)
        if not verified(headers, body, secret):
            raise ValueError(f"not signed with the secret of its URL: {headers['webhook-id']}")
        event = acp.WebhookEvent.from_json(body)
        if event.data["caseID"] == case_id:
            return event


def play(url, hook):
    administrator = sign_in(url, "admin@demo.example", "Ada", "Administrator")
    claimant = sign_in(url, "clara@clients.example", "Clara", "Claimant")
    manager = sign_in(url, "maya@python.example", "Maya", "Manager")

    # Webhooks go to organizations, and Clara's has a server: this program.
    if acp.UsersApi(claimant).view_current_user().organization_id is None:
        acp.OrganizationsApi(claimant).create_organization(acp.CreateOrganizationRequest(name="Claimant Shipping GmbH"))
    urls = acp.WebhookUrlsApi(claimant)
    secret = urls.create_webhook_url(acp.CreateWebhookUrlRequest(url=hook)).secret

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
    # The claim itself is a PDF.
    with open("../../../src/main/resources/demo/statement-of-claim.pdf", "rb") as claim_pdf:
        filed = acp.FilingFilesApi(claimant).upload_filing_file(case_id, filing.filing_id, ("claim.pdf", claim_pdf.read()))
    print(f"filed {filed.file_name} of {filed.pages} pages")
    submission = acp.SubmitDocumentRequest(case_id=case_id, filing_id=filing.filing_id)
    print(acp.DocumentsApi(claimant).submit_document(submission))
    try:
        acp.DocumentsApi(claimant).submit_document(submission)
        raise AssertionError("submitted twice")
    except ApiException as refused:
        print(f"refused with {refused.status}: {refused.data}")
        # Programs go by the error code, which never changes. One that a later version adds is of the same type, and no member.
        code = acp.ErrorCode(refused.headers["Error-Code"])
        if code is acp.ErrorCode.FILING_ALREADY_SUBMITTED and acp.ErrorCode("filing.newer") not in list(acp.ErrorCode):
            print(f"the error code {code.value} is known, and one of a later version is taken")

    # Maya approves it, and it is on the docket.
    print(acp.DocumentsApi(manager).approve_document(acp.ApproveDocumentRequest(case_id=case_id, filing_id=filing.filing_id)))
    docket = acp.DocketApi(claimant)
    for entry in docket.list_docket_entries(acp.ListDocketEntriesRequest(case_id=case_id)).entries:
        print(f"docket entry {entry.entry_id}: {entry.document_id} of {entry.entered_at.isoformat()}")
    print("docket valid:", str(docket.verify_docket(acp.VerifyDocketRequest(case_id=case_id)).valid).lower())

    # The platform tells Clara's server of it.
    event = next_webhook(secret, case_id)
    print("webhook verified:", event.event, "of", acp.DocketFilingData.from_dict(event.data).document_id)
    # A kind of event or a state that is newer than this client is read, too, and can be passed over.
    newer = acp.WebhookEvent.from_dict({"id": "1", "timestamp": "2030-01-01T00:00:00.000Z", "event": "a_newer_kind", "data": {}})
    print("newer kind:", newer.event)

    # Every case of hers, page by page.
    cases, page = 0, acp.ListCasesRequest(limit=200)
    while True:
        found = acp.CasesApi(claimant).list_cases(page)
        cases += len(found.cases)
        if found.next_cursor is None:
            break
        page.cursor = found.next_cursor
    print("cases:", cases)

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
