"""Webhooks: signatures of Standard Webhooks, and events by their kinds."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Callable, Mapping, Protocol

from pydantic import ValidationError

from arbitration_client import models
from arbitration_client.models.event_kind import EventKind


class Event(Protocol):
    """What every event has. Which class it is, such as ``DocketFilingEvent``, says what its ``data`` is."""

    id: str
    timestamp: datetime
    event: str
    data: Any


@dataclass(frozen=True)
class Webhook:
    """A webhook whose signature holds. It may come twice: pass over an ``id`` that you have had.

    ``sandbox`` tells that the case runs by a clock of its own. ``event`` is the model of its kind; for a kind that this client does not know,
    and for tests, it is a ``WebhookEvent``.
    """

    id: str
    sandbox: bool
    event: Event


class WebhookError(Exception):
    """A request that is no webhook of the platform, or not one of now: answer it with 401 and do nothing else.

    ``problem`` is ``headers`` (missing or malformed), ``time``, ``signature`` or ``body``.
    """

    def __init__(self, problem: str, sentence: str) -> None:
        super().__init__(sentence)
        self.problem = problem


class WebhookVerifier:
    """Verifies what is posted to a URL that has one of these secrets (``whsec_…``): during a rotation both.

    The time of signing may be off by ``tolerance_seconds``. ``clock`` answers seconds since 1970.
    """

    def __init__(self, *secrets: str, tolerance_seconds: float = 300, clock: Callable[[], float] = time.time) -> None:
        if not secrets:
            raise ValueError("a verifier needs a secret")
        self._keys = [_key(secret) for secret in secrets]
        self._tolerance_seconds = tolerance_seconds
        self._clock = clock

    def verify(self, headers: Any, body: bytes) -> Webhook:
        """The webhook of a request, of which ``headers`` is a mapping and ``body`` has the bytes as they came; raises ``WebhookError``."""
        sent = {str(name).lower(): str(value) for name, value in headers.items()}
        event_id, timestamp = sent.get("webhook-id", ""), sent.get("webhook-timestamp", "")
        signatures = sent.get("webhook-signature", "")
        if not event_id or not signatures or not (timestamp.isascii() and timestamp.isdecimal() and len(timestamp) <= 12):
            raise WebhookError("headers", "headers of a webhook are missing or malformed")
        if abs(self._clock() - int(timestamp)) > self._tolerance_seconds:
            raise WebhookError("time", "signed too long ago, or in the future")
        signed = f"{event_id}.{timestamp}.".encode() + body
        expected = [base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()) for key in self._keys]
        given = [one[3:].encode() for one in signatures.split(" ") if one.startswith("v1,")]
        # All are compared, so that the time taken does not say which one was nearly right.
        if not any([hmac.compare_digest(one, ours) for one in given for ours in expected]):
            raise WebhookError("signature", "not signed with a secret of this URL")
        try:
            event = _event(json.loads(body))
        except (ValueError, TypeError, ValidationError):
            raise WebhookError("body", "the body is no event") from None
        if event.id != event_id:
            raise WebhookError("body", "the body is another event than the headers name")
        return Webhook(event_id, sent.get("webhook-sandbox") == "true", event)


def typed_event(event: models.SequencedEvent) -> Event:
    """An event of the log (``EventsApi.list_events``) as the model of its kind; as ``WebhookEvent`` where this client does not know it."""
    return _event(event.to_dict())


def _event(fields: Mapping[str, Any]) -> Event:
    kind = fields.get("event")
    known = kind in [member.value for member in EventKind]
    name = "".join(word.capitalize() for word in str(kind).split("_")) + "Event" if known else "WebhookEvent"
    event: Event = getattr(models, name).model_validate(fields)
    return event


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise ValueError("a secret of a webhook URL reads whsec_ and base64")
    return key
