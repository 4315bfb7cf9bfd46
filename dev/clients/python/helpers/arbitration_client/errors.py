"""What the platform answers in place of what was asked for."""

from __future__ import annotations

import json
import time
from email.utils import parsedate_to_datetime
from typing import Any, Mapping, Optional

from arbitration_client.exceptions import ApiException
from arbitration_client.models.error_code import ErrorCode


class PlatformError(ApiException):
    """A refusal of the platform, or its answer that it cannot serve now.

    ``status`` is that of HTTP. ``error_code`` names the error for programs and never changes; one that is newer than this client is an
    ``ErrorCode``, too, and none of its members. ``error_code_text`` is the code as it came; both are None where something between here and
    the platform answered. ``reason`` is the sentence for people. ``request_id`` is what an operator finds the request by in the log.
    ``retry_after_seconds`` is how long the platform asks to wait, or None.
    """

    status: int
    reason: str
    error_code: Optional[ErrorCode]
    error_code_text: Optional[str]
    request_id: Optional[str]
    retry_after_seconds: Optional[float]

    def __init__(self, status: int, headers: Mapping[str, str], body: str) -> None:
        read = _json(body)
        oauth = read.get("error") if isinstance(read, dict) else None
        super().__init__(status=status, reason=_reason(read, body), body=body, data=_reason(read, body))
        self.headers: Any = headers
        self.error_code_text = oauth if isinstance(oauth, str) else headers.get("Error-Code")
        self.error_code = None if self.error_code_text is None else ErrorCode(self.error_code_text)
        self.request_id = headers.get("X-Request-Id")
        self.retry_after_seconds = _retry_after_seconds(headers.get("Retry-After"))

    def __str__(self) -> str:
        code = f" {self.error_code_text}" if self.error_code_text else ""
        request = f" (request {self.request_id})" if self.request_id else ""
        return f"{self.status}{code}: {self.reason}{request}"


class SessionEndedError(PlatformError):
    """The platform takes the credentials no more: the person has to sign in again. Every later call with them fails so."""


def _json(body: str) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return None


def _reason(read: Any, body: str) -> str:
    """The sentence of a body: one JSON string, or problem details, or an error of OAuth, or plain text."""
    if isinstance(read, dict):
        read = read.get("detail") or read.get("error_description") or read.get("error")
    return read if isinstance(read, str) else body.strip()


def _retry_after_seconds(header: Optional[str]) -> Optional[float]:
    """Seconds, or a date of HTTP; None where it is neither."""
    if header is None:
        return None
    if header.isascii() and header.isdecimal() and len(header) < 10:
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None
