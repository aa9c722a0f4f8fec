"""What keeps the web survey safe: headers, limits of attempts and sizes, tokens against forgery."""

from __future__ import annotations

import hashlib
import hmac
import threading
import time
from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from kilter.study.store.attempt import AttemptKind, AttemptTable
    from kilter.study.web.site_address import SiteAddress

LONGEST_BODY = 64 * 1024
MOST_FIELDS = 300
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Under no-referrer browsers would hide the origin of forms, too, which is checked.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-store",
}

_YEAR = 365 * 24 * 3600


def headers_of(address: SiteAddress) -> dict[str, str]:
    """Return what every response of the site at an address has, whatever it says."""
    if not address.is_secure:
        return HEADERS
    return HEADERS | {"Strict-Transport-Security": f"max-age={_YEAR}"}


def forgery_token(secret: bytes, visitor: str) -> str:
    """Return what a form must carry to show that it comes from a page of ours."""
    return hmac.new(secret, f"form {visitor}".encode(), hashlib.sha256).hexdigest()


def is_own_form(secret: bytes, visitor: str, given: object) -> bool:
    """Return whether a form carries the visitor's token."""
    if not visitor or not isinstance(given, str):
        return False
    own = forgery_token(secret, visitor)
    return hmac.compare_digest(own.encode(), given.encode(errors="replace"))


class AddressLimit:
    """A limit of attempts for each address that all processes of a survey share.

    What this process has refused before costs the database nothing.
    """

    def __init__(
        self, attempts: AttemptTable, kind: AttemptKind, *, most: int, seconds: float
    ) -> None:
        self._attempts = attempts
        self._kind = kind
        self.most = most
        self._seconds = seconds
        self._here = AttemptLimit(most, seconds)

    def attempt(self, address: str) -> bool:
        """Count an attempt and return whether it is still allowed."""
        return self._here.attempt(address) and self._attempts.attempt(
            self._kind, address, most=self.most, seconds=self._seconds
        )


def login_delay(failures: int) -> float:
    """Return after how many seconds a wrong password is answered, by how many there were before it.

    >>> [login_delay(failures) for failures in (0, 2, 3, 4, 5, 9, 10_000)]
    [0.0, 0.0, 1.0, 2.0, 4.0, 30.0, 30.0]
    """
    return float(min(2 ** min(failures - 3, 5), 30)) if failures >= 3 else 0.0


class AttemptLimit:
    """Counts attempts per key in a sliding window, for a bounded number of keys."""

    def __init__(
        self,
        most: int,
        seconds: float,
        *,
        keys: int = 10_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.most = most
        self.seconds = seconds
        self._keys = keys
        self._clock = clock
        self._seen: OrderedDict[str, list[float]] = OrderedDict()
        self._lock = threading.Lock()

    def attempt(self, key: str) -> bool:
        """Count an attempt and return whether it is still allowed."""
        with self._lock:
            recent = self._recent(key)
            if len(recent) >= self.most:
                return False
            recent.append(self._clock())
            self._seen[key] = recent
            self._seen.move_to_end(key)
            while len(self._seen) > self._keys:
                self._seen.popitem(last=False)
            return True

    def _recent(self, key: str) -> list[float]:
        after = self._clock() - self.seconds
        return [moment for moment in self._seen.get(key, []) if moment > after]
