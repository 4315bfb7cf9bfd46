"""The platform as one caller has it: what the generated API classes call through."""

from __future__ import annotations

import random
import time
import uuid
from dataclasses import dataclass
from typing import Any, Dict, Optional

import urllib3

from arbitration_client import rest
from arbitration_client.api_client import ApiClient
from arbitration_client.configuration import Configuration
from arbitration_client.credentials import Credentials
from arbitration_client.errors import PlatformError
from arbitration_client.forms import FileForm

PASSING = frozenset({408, 429, 500, 502, 503, 504})
REFUSAL_BYTES_MAX = 65_536
CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 300.0
UPLOAD_SECONDS = 3600.0
# Takes no key, so it is not repeated: each call occupies a browser.
KEYLESS = "/api/service-of-notice/attachments/create"


@dataclass(frozen=True)
class RetryPolicy:
    """How often and for how long a call is repeated that had no answer, or one that passes.

    ``attempts`` counts the first one. No attempt begins later than ``total_seconds`` after the first one; where the platform asks for a
    longer pause than is left, the caller gets its refusal at once. Where it asks for none, the pauses begin at ``first_pause_seconds`` and
    double up to ``pause_seconds_max``. ``RetryPolicy(attempts=1)`` repeats nothing.
    """

    attempts: int = 5
    total_seconds: float = 60.0
    first_pause_seconds: float = 0.5
    pause_seconds_max: float = 20.0

    def __post_init__(self) -> None:
        if self.attempts < 1 or min(self.total_seconds, self.first_pause_seconds, self.pause_seconds_max) < 0:
            raise ValueError("attempts: at least 1; seconds: at least 0")

    def pause_seconds(self, repetition: int, retry_after_seconds: Optional[float]) -> float:
        """The pause before a repetition, the first being 1. A random part of it lets callers come back at different times."""
        if retry_after_seconds is not None:
            return retry_after_seconds * random.uniform(1, 1.1)
        return min(self.pause_seconds_max, self.first_pause_seconds * 2.0 ** min(repetition - 1, 30)) * random.uniform(0.5, 1)


class Platform(ApiClient):
    """The platform at a URL, as one caller: ``CasesApi(Platform(url, credentials)).list_cases(…)``; without credentials, as nobody.

    Many threads may use it at once. A call is repeated where that is safe (``RetryPolicy``): a POST with credentials bears an
    ``Idempotency-Key``, the caller's own or a new one, and its repetitions the same. A call that is answered 401 is repeated once with a
    renewed token. A refusal is raised as ``PlatformError``; ``urllib3.exceptions.HTTPError`` says that there was no answer. Connecting
    takes at most 10 s, an answer 300 s; ``_request_timeout`` of a call changes that. ``configuration`` is for proxies and certificates.
    """

    def __init__(self, url: str, credentials: Optional[Credentials] = None, retries: RetryPolicy = RetryPolicy(),
                 configuration: Optional[Configuration] = None) -> None:
        own = Configuration() if configuration is None else configuration
        own.host = url.rstrip("/")
        # Attempts are counted here alone, and redirects are not followed: the platform has none for programs.
        own.retries = False
        super().__init__(own)
        self.user_agent = "arbitration-client/1.0.0 (Python)"
        self.credentials = credentials
        self.retries = retries
        if credentials is not None:
            credentials.bind(own.host)

    def access_token(self) -> str:
        """The present token, renewed if need be, for what is not called through the client, such as the stream of events."""
        if self.credentials is None:
            raise ValueError("there are no credentials")
        return self.credentials.access_token(self)

    def ask(self, path: str, headers: Dict[str, str], body: Any, again_seconds: float) -> Any:
        """Posts JSON, or the fields of a form, to an operation that gives tokens, and answers its JSON."""
        kind = "application/x-www-form-urlencoded" if isinstance(body, list) else "application/json"
        sent = {**self.default_headers, "Accept": "application/json", "Content-Type": kind, **headers}
        form = isinstance(body, list)
        answer = self._repeated("POST", self.configuration.host + path, sent, None if form else body, body if form else None, None,
                                again_seconds, None)
        return self.deserialize(answer.read().decode("utf-8"), "object", "application/json")

    def post_form(self, path: str, form: FileForm, headers: Dict[str, str]) -> rest.RESTResponse:
        """Posts a form whose file is read while it is sent."""
        sent = {**self.default_headers, "Accept": "application/json", **form.headers, **headers}
        if self.credentials is not None:
            sent["Authorization"] = "Bearer " + self.credentials.access_token(self)
        return self.call_api("POST", self.configuration.host + path, sent, form)

    def update_params_for_auth(self, headers: Any, queries: Any, auth_settings: Any, resource_path: Any, method: Any, body: Any,
                               request_auth: Any = None) -> None:
        """As the generated client has it, with the token of the credentials."""
        if self.credentials is None or request_auth or not auth_settings:
            super().update_params_for_auth(headers, queries, auth_settings, resource_path, method, body, request_auth)
        else:
            headers["Authorization"] = "Bearer " + self.credentials.access_token(self)

    def call_api(self, method: str, url: str, header_params: Any = None, body: Any = None, post_params: Any = None,
                 _request_timeout: Any = None) -> rest.RESTResponse:
        """As the generated client has it, with an idempotency key, repetitions and typed errors."""
        headers: Dict[str, str] = dict(header_params or {})
        token = headers.get("Authorization", "").removeprefix("Bearer ") if self.credentials is not None else ""
        keyed = any(name.lower() == "idempotency-key" for name in headers)
        if method == "POST" and token and not keyed and not url.endswith(KEYLESS):
            # The platform passes over it where the operation only reads.
            headers["Idempotency-Key"] = str(uuid.uuid4())
            keyed = True
        again_seconds = self.retries.total_seconds if keyed or method in ("GET", "HEAD") else 0
        return self._repeated(method, url, headers, body, post_params, _request_timeout, again_seconds, token)

    def _repeated(self, method: str, url: str, headers: Dict[str, str], body: Any, fields: Any, timeout: Any, again_seconds: float,
                  token: Optional[str]) -> rest.RESTResponse:
        """The answer to a request. One that may have been carried out is repeated within ``again_seconds`` only."""
        began = time.monotonic()
        attempt = 1
        while True:
            failure: Exception
            try:
                answer = self._attempt(method, url, headers, body, fields, timeout)
                if answer.status < 300:
                    return answer
                failure = _refusal(answer)
            except urllib3.exceptions.HTTPError as unanswered:
                failure = unanswered
            if token and self.credentials is not None and isinstance(failure, PlatformError) and failure.status == 401:
                # It was refused before anything was done, so that it may be repeated whatever it is.
                headers = {**headers, "Authorization": "Bearer " + self.credentials.access_token(self, refused=token)}
                token = None
                continue
            pause = self.retries.pause_seconds(attempt, failure.retry_after_seconds if isinstance(failure, PlatformError) else None)
            within = self.retries.total_seconds if _not_done(failure) else min(again_seconds, self.retries.total_seconds)
            if attempt >= self.retries.attempts or not _passes(failure) or time.monotonic() - began + pause > within:
                raise failure
            time.sleep(pause)
            attempt += 1

    def _attempt(self, method: str, url: str, headers: Dict[str, str], body: Any, fields: Any, timeout: Any) -> rest.RESTResponse:
        if isinstance(body, FileForm):
            limits = urllib3.Timeout(connect=CONNECT_SECONDS, read=UPLOAD_SECONDS)
            with body.pieces() as pieces:
                return rest.RESTResponse(self.rest_client.pool_manager.request(
                    method, url, body=pieces, headers=headers, timeout=limits, preload_content=False))
        # A copy, because the generated client changes the headers that it is given.
        return self.rest_client.request(method, url, headers=dict(headers), body=body, post_params=fields,
                                        _request_timeout=(CONNECT_SECONDS, ANSWER_SECONDS) if timeout is None else timeout)


def _refusal(answer: rest.RESTResponse) -> PlatformError:
    try:
        body = answer.response.read(REFUSAL_BYTES_MAX, decode_content=True)
    finally:
        answer.response.close()
    return PlatformError(answer.status, answer.headers, body.decode("utf-8", "replace"))


def _not_done(failure: Exception) -> bool:
    """Whether it surely was not carried out: it was refused for its rate, or nobody could be reached."""
    if isinstance(failure, PlatformError):
        return failure.status == 429
    return isinstance(failure, (urllib3.exceptions.NewConnectionError, urllib3.exceptions.ConnectTimeoutError))


def _passes(failure: Exception) -> bool:
    if isinstance(failure, PlatformError):
        return failure.status in PASSING or failure.error_code_text == "idempotency.in-flight"
    return not isinstance(failure, urllib3.exceptions.SSLError)
