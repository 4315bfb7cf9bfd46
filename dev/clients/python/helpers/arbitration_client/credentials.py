"""Who calls: tokens, got when they are first needed and renewed in time, once for all threads."""

from __future__ import annotations

import base64
import threading
import time
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Callable, Dict, List, NoReturn, Optional
from urllib.parse import quote, quote_plus

from arbitration_client.errors import PlatformError, SessionEndedError
from arbitration_client.models.token_set import TokenSet

if TYPE_CHECKING:
    from arbitration_client.platform import Platform

RENEWED_BEFORE_SECONDS = 60.0
# The platform takes a refresh token a second time for 10 s only, for an answer that was lost; later it ends the session.
RENEWED_AGAIN_SECONDS = 8.0


class Credentials(ABC):
    """The credentials of one caller at one platform. Making them calls nobody: the first call that needs a token gets one.

    Many threads may share them. Those who need a new token at the same time share one renewal.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._url: Optional[str] = None
        self._tokens: Optional[TokenSet] = None
        self._renewed_at = 0.0
        self._told = True
        self._ended: Optional[SessionEndedError] = None
        self._on_tokens: List[Callable[[TokenSet], None]] = []

    @staticmethod
    def sign_in(provider: str, id_token: str) -> Credentials:
        """A person's, by an ID token of an identity provider that the platform knows by this name."""
        return _PersonCredentials(provider, id_token, None)

    @staticmethod
    def resume(refresh_token: str) -> Credentials:
        """A person's, by the refresh token that was stored last."""
        return _PersonCredentials(None, None, refresh_token)

    @staticmethod
    def machine(client_id: str, client_secret: str) -> Credentials:
        """A machine client's, by the client credentials of OAuth 2.0."""
        return _MachineCredentials(client_id, client_secret)

    def on_tokens(self, told: Callable[[TokenSet], None]) -> Credentials:
        """Has ``told`` called with each new token set before a call uses it: store its refresh token there.

        When it raises, so does each call that needs the tokens. The next one offers the same tokens again.
        """
        self._on_tokens.append(told)
        return self

    def bind(self, url: str) -> None:
        """Binds them to the platform at this URL: another one must not see the tokens."""
        with self._lock:
            if self._url not in (None, url):
                raise ValueError("these credentials belong to another platform")
            self._url = url

    def access_token(self, platform: Platform, refused: Optional[str] = None) -> str:
        """The token for a call, renewed if need be; ``refused`` is one that was answered 401."""
        with self._lock:
            if self._ended is not None:
                raise SessionEndedError(self._ended.status, self._ended.headers, self._ended.body or "")
            if self._told and (self._tokens is None or self._tokens.access_token == refused or time.monotonic() >= self._renewed_at):
                self._renew(platform)
            assert self._tokens is not None
            if not self._told:
                for told in self._on_tokens:
                    told(self._tokens)
                self._told = True
            return self._tokens.access_token

    def _renew(self, platform: Platform) -> None:
        asked_at = time.monotonic()
        try:
            self._tokens = self._ask(platform)
        except PlatformError as failed:
            if failed.status == 401:
                self._end(failed)
            raise
        valid = float(self._tokens.valid_for_seconds)
        self._renewed_at = asked_at + valid - min(RENEWED_BEFORE_SECONDS, valid / 10)
        self._told = False

    def _end(self, failed: PlatformError) -> NoReturn:
        self._ended = SessionEndedError(failed.status, failed.headers, failed.body or "")
        raise self._ended from None

    @abstractmethod
    def _ask(self, platform: Platform) -> TokenSet:
        """Asks for another token set."""


class _PersonCredentials(Credentials):

    def __init__(self, provider: Optional[str], id_token: Optional[str], refresh_token: Optional[str]) -> None:
        super().__init__()
        self._provider = provider
        self._id_token = id_token
        self._refresh_token = refresh_token

    def _ask(self, platform: Platform) -> TokenSet:
        if self._refresh_token is None:
            assert self._provider is not None
            path, body = "/auth/authenticate/" + quote(self._provider, safe=""), {"idToken": self._id_token}
        else:
            path, body = "/auth/sessions/refresh", {"refreshToken": self._refresh_token}
        tokens = _token_set(platform.ask(path, {}, body, RENEWED_AGAIN_SECONDS))
        self._refresh_token = tokens.refresh_token
        return tokens


class _MachineCredentials(Credentials):

    def __init__(self, client_id: str, client_secret: str) -> None:
        super().__init__()
        self._authorization = "Basic " + base64.b64encode(f"{quote_plus(client_id)}:{quote_plus(client_secret)}".encode()).decode()

    def _ask(self, platform: Platform) -> TokenSet:
        answer = platform.ask("/auth/oauth/token", {"Authorization": self._authorization}, [("grant_type", "client_credentials")],
                              RENEWED_AGAIN_SECONDS)
        return _token_set({"accessToken": answer["access_token"], "refreshToken": "", "validForSeconds": answer["expires_in"]})


def _token_set(fields: Dict[str, Any]) -> TokenSet:
    return TokenSet.model_validate(fields)
