"""Somebody behind a proxy that speaks with the survey in plain HTTP, under a name of its own."""

import re
from http.cookies import SimpleCookie

import httpx

from tests.study.running import asked


class Behind:
    """A browser at a public address, seen from the survey: secure cookies come over plain connections."""

    def __init__(self, address: str, *, origin: str, inner: str = "") -> None:
        """`inner` is what the proxy leaves of the prefix of the public address."""
        self._address = address + inner
        self._origin = origin
        self.cookies: dict[str, str] = {}
        self.seen: list[SimpleCookie] = []
        self.page = self.get("/")

    def get(self, path: str, **headers: str) -> httpx.Response:
        """Open a page, and follow nothing."""
        self.page = self._asked("GET", path, headers)
        return self.page

    def post(self, path: str, *, origin: str | None = None, **fields: str) -> httpx.Response:
        """Send a form of the page that is open, as browsers do: with its origin."""
        found = re.search(r'name="form_token" value="([0-9a-f]+)"', self.page.text)
        assert found is not None, self.page.text
        data = {"form_token": found[1], **fields}
        return self._asked("POST", path, {"origin": origin or self._origin}, data)

    def _asked(
        self, method: str, path: str, headers: dict[str, str], data: dict[str, str] | None = None
    ) -> httpx.Response:
        sent = {"cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        answer = asked(self._address + path, method=method, headers=sent | headers, fields=data)
        for line in answer.headers.get_list("set-cookie"):
            cookie = SimpleCookie(line)
            self.seen.append(cookie)
            self.cookies |= {name: morsel.value for name, morsel in cookie.items()}
        return answer
