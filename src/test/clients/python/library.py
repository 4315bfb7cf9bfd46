"""What stands beside the generated client for Python, tried against a platform that limits rates and whose clock is moved from here."""

import base64
import hashlib
import hmac
import itertools
import json
import os
import resource
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NoReturn

import urllib3

import arbitration_client as acp

URL, CUT_URL, CONTROL = sys.argv[1:]
CALLS = 20


def post(url: str, body: dict[str, str]) -> Any:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.loads(answer.read() or b"null")


def id_token(email: str) -> str:
    token: str = post(URL + "/auth/demo/id-token", {"email": email, "first_name": "Lina", "last_name": "Library"})["idToken"]
    return token


def at_once(call: Callable[[], Any], times: int) -> list[Any]:
    """As many threads, which begin together."""
    begin = threading.Barrier(times)

    def one() -> Any:
        begin.wait()
        return call()

    with ThreadPoolExecutor(times) as threads:
        return [each.result() for each in [threads.submit(one) for _ in range(times)]]


def told(holds: bool) -> str:
    return str(holds).lower()


def refused(call: Callable[[], Any]) -> acp.PlatformError:
    try:
        call()
    except acp.PlatformError as error:
        return error
    raise AssertionError("was not refused")


def sign_in() -> str:
    stored: list[str] = []
    credentials = acp.Credentials.sign_in("demo", id_token("lina@library.example"))
    credentials.on_tokens(lambda tokens: stored.append(tokens.refresh_token))
    lina = acp.Platform(URL, credentials)
    assert not stored, "making credentials calls nobody"
    print("signed in:", acp.UsersApi(lina).view_current_user().first_name)
    assert stored[0] not in repr(credentials) + str(vars(lina).keys())
    try:
        acp.Platform(CUT_URL, credentials)
        raise AssertionError("credentials of one platform are taken by another")
    except ValueError:
        return stored[0]


def one_renewal(refresh_token: str) -> acp.Platform:
    renewals: list[str] = []
    credentials = acp.Credentials.resume(refresh_token).on_tokens(lambda tokens: renewals.append(tokens.refresh_token))
    lina = acp.Platform(URL, credentials)
    users = acp.UsersApi(lina)
    at_once(users.view_current_user, CALLS)
    print("renewals for calls that begin together:", len(renewals))
    # The platform takes the tokens of before no more; this program does not know.
    post(CONTROL + "/forward", {})
    at_once(users.view_current_user, CALLS)
    print("renewals for calls that are answered 401 together:", len(renewals) - 1)

    offered: list[str] = []

    def store(tokens: acp.TokenSet) -> NoReturn:
        offered.append(tokens.access_token)
        raise OSError("the disk is full")

    failing = acp.Platform(URL, acp.Credentials.sign_in("demo", id_token("lina@library.example")).on_tokens(store))
    for _ in range(2):
        try:
            acp.UsersApi(failing).view_current_user()
            raise AssertionError("tokens were used that were not stored")
        except OSError as full:
            print("not used unless stored:", full)
    assert len(offered) == 2 and offered[0] == offered[1], "the same tokens are offered again"
    return lina


def rates(lina: acp.Platform) -> None:
    statuses: list[int] = []
    send: Any = lina.rest_client.request

    def counted(*args: Any, **options: Any) -> Any:
        answer = send(*args, **options)
        statuses.append(answer.status)
        return answer

    lina.rest_client.request = counted  # type: ignore
    at_once(acp.UsersApi(lina).view_current_user, 60)
    assert statuses.count(200) == 60 and set(statuses) == {200, 429}, statuses
    print("each was answered, though some were refused for their rate at first")
    impatient = acp.Platform(URL, lina.credentials, acp.RetryPolicy(attempts=1))

    def hurry() -> None:
        for _ in range(200):
            acp.UsersApi(impatient).view_current_user()

    error = refused(lambda: at_once(hurry, 4))
    known = error.error_code is acp.ErrorCode.RATE_LIMITED
    print("limited:", error.status, error.error_code_text, told(known), int(error.retry_after_seconds or 0))
    lina.rest_client.request = send  # type: ignore


def lost_answer(lina: acp.Platform) -> str:
    """The platform opens a case, and its answer is lost on the way."""
    own = acp.Platform(CUT_URL, acp.Credentials.sign_in("demo", id_token("lina@library.example")))
    acp.UsersApi(own).view_current_user()
    post(CONTROL + "/cut", {})
    title = "Lost and found " + base64.b32encode(os.urandom(10)).decode()
    case_id = acp.CasesApi(own).create_case(acp.CreateCaseRequest(title=title, rule_set="commercial")).case_id
    cases = acp.CasesApi(lina)
    found = acp.items(lambda cursor: cases.list_cases(acp.ListCasesRequest(cursor=cursor, limit=2)), lambda page: page.cases)
    print("cases opened by one call whose answer was lost:", [one.case_id for one in found if one.title == title].count(case_id))
    post(CONTROL + "/cut", {})
    try:
        acp.CasesApi(acp.Platform(CUT_URL)).list_cases()
        raise AssertionError("a request without a key was repeated")
    except Exception as unanswered:
        assert isinstance(unanswered, urllib3.exceptions.ProtocolError), unanswered
        print("not repeated without a key")
    return case_id


def uploads(lina: acp.Platform, case_id: str) -> None:
    size = 24 << 20
    with tempfile.NamedTemporaryFile(suffix=".txt") as file:
        line = b"We are available in May, and so is our expert on cranes.\n"
        content = hashlib.sha256()
        for block in itertools.repeat(line * 1024, size // (len(line) * 1024)):
            content.update(block)
            file.write(block)
        file.flush()
        size = os.path.getsize(file.name)
        steps: list[tuple[int, int]] = []
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        kept = acp.Uploads(lina).create_evidence_upload(case_id, "correspondence", "Très long 開庭通知", file.name, file_name="dates.txt",
                                                        progress=lambda sent, all: steps.append((sent, all)))
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        assert steps == sorted(steps) and steps[0] == (0, size) and steps[-1] == (size, size) and len(steps) > 100, steps
        view = acp.EvidenceApi(lina).view_evidence_upload(acp.NamedEvidenceUploadRequest(case_id=case_id, upload_id=kept.upload_id))
        assert view.sha256 == content.hexdigest()
        print("uploaded:", view.file_name, view.description, "%d %%" % (100 * steps[-1][0] / steps[-1][1]))
        assert grown < size / 1024 / 3, f"{grown} KiB more in memory for {size} bytes"
        error = refused(lambda: acp.Uploads(lina).create_evidence_upload("", "correspondence", "", file.name))
        print("refused upload:", error.status, error.reason)


def lists(lina: acp.Platform, case_id: str) -> None:
    seen = acp.items_after(lambda after: acp.EvidenceApi(lina).list_evidence_uploads(
        acp.ListEvidenceUploadsRequest(case_id=case_id, after_upload_id=after, limit=1)).uploads, lambda upload: upload.upload_id)
    print("uploads after each other:", len(list(seen)))
    stuck = acp.CaseList(cases=[], next_cursor="same")
    try:
        list(acp.items(lambda cursor: stuck, "cases"))
        raise AssertionError("a list without an end was read")
    except acp.RepeatedCursorError as repeated:
        print("stopped:", repeated)


def errors(lina: acp.Platform) -> None:
    unknown = acp.ViewCaseRequest(case_id="00000000-0000-4000-8000-000000000000")
    error = refused(lambda: acp.CasesApi(lina).view_case(unknown))
    known = error.error_code is acp.ErrorCode.CASE_NOT_FOUND
    print("refused:", error.status, told(known), error.reason, told(len(error.request_id or "") > 7))
    assert isinstance(error, acp.ApiException) and error.retry_after_seconds is None


def machine(lina: acp.Platform) -> None:
    if acp.UsersApi(lina).view_current_user().organization_id is None:
        acp.OrganizationsApi(lina).create_organization(acp.CreateOrganizationRequest(name="Library GmbH"))
    made = acp.MachineClientsApi(lina).create_machine_client(acp.CreateMachineClientRequest(
        name="Archive", permissions=[], organization_id=acp.UsersApi(lina).view_current_user().organization_id))
    archive = acp.Platform(URL, acp.Credentials.machine(made.client_id, made.client_secret))
    acp.EventsApi(archive).list_events(acp.ListEventsRequest(limit=1))
    error = refused(lambda: acp.EventsApi(acp.Platform(URL, acp.Credentials.machine(made.client_id, "acp_wrong"))).list_events())
    print("machine client:", error.status, error.error_code_text, told(isinstance(error, acp.SessionEndedError)))


def webhooks() -> None:
    secret, other = ("whsec_" + base64.b64encode(key).decode() for key in (b"a secret of thirty-two bytes, ok", b"another"))
    now = 1795253400
    data = {"caseID": "7", "filingID": "8", "entryID": "9", "enteredAt": "2026-11-21T09:30:00.000Z", "phaseID": "hearing",
            "documentID": "motion", "userID": "1", "organizationID": None, "partyID": "claimant",
            "rootEntryID": None, "parentEntryID": None}

    def signed(kind: str, **fields: Any) -> tuple[dict[str, str], bytes]:
        body = json.dumps({"id": "e-1", "timestamp": "2026-11-21T09:30:00.000Z", "event": kind, "data": data, **fields}).encode()
        key = base64.b64decode(secret.removeprefix("whsec_"))
        digest = base64.b64encode(hmac.new(key, f"e-1.{now}.".encode() + body, hashlib.sha256).digest()).decode()
        return {"Webhook-Id": "e-1", "Webhook-Timestamp": str(now), "Webhook-Signature": f"v1,AAAA v2,{digest} v1,{digest}"}, body

    def problem(headers: dict[str, str], body: bytes, later: float = 0, *secrets: str) -> str:
        try:
            acp.WebhookVerifier(*(secrets or (secret,)), clock=lambda: now + later).verify(headers, body)
        except acp.WebhookError as error:
            return error.problem
        return "none"

    headers, body = signed("docket_filing")
    found = acp.WebhookVerifier(other, secret, clock=lambda: now + 299).verify(headers, body)
    assert isinstance(found.event, acp.DocketFilingEvent) and not found.sandbox
    print("webhook:", found.id, found.event.data.document_id)
    print("problems:", problem(headers, body), problem(headers, body, 301), problem(headers, body, -301), problem(headers, body + b" "),
          problem(headers, body, 0, other), problem({**headers, "Webhook-Id": ""}, body),
          problem({**headers, "Webhook-Timestamp": "now"}, body),
          problem({**headers, "Webhook-Signature": "v1," + "A" * 44}, body), problem(*signed("docket_filing", id="e-2")),
          problem(*signed("docket_filing", data=None)))
    newer = acp.WebhookVerifier(secret, clock=lambda: now).verify(*signed("a_newer_kind")).event
    print("newer kind:", newer.event, told(isinstance(newer, acp.WebhookEvent)))
    typed = [kind for kind in acp.EventKind if hasattr(acp, "".join(word.capitalize() for word in kind.value.split("_")) + "Event")]
    assert len(typed) == len(acp.EventKind), "a kind of event without its model"


def ended(lina: acp.Platform) -> None:
    acp.SessionsApi(lina).revoke_session()
    first, second = (refused(acp.UsersApi(lina).view_current_user) for _ in range(2))
    print("session ended:", told(isinstance(first, acp.SessionEndedError)), first.error_code_text,
          told(first.request_id == second.request_id))


began = time.monotonic()
signed_in = one_renewal(sign_in())
errors(signed_in)
opened = lost_answer(signed_in)
uploads(signed_in, opened)
lists(signed_in, opened)
machine(signed_in)
rates(signed_in)
webhooks()
ended(signed_in)
print("in %.1f s" % (time.monotonic() - began), file=sys.stderr)
