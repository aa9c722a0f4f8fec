"""Pages that were made before, with gaps for what is different each time."""

from __future__ import annotations

import re
import secrets
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

_MOST = 1000


class PageMemory:
    """Remembers the pages that were asked for last; safe to use from many threads.

    A page is made once with marks in its gaps, which nobody can guess, so that no text of a study can be taken for one.
    What fills a gap goes into the page as it is: only what needs no escaping may be filled in.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._pages: OrderedDict[Hashable, list[str]] = OrderedDict()
        self._lock = threading.Lock()
        self._secret = secrets.token_hex(16)

    def page(
        self, key: Hashable, gaps: Mapping[str, str], make: Callable[[Mapping[str, str]], str]
    ) -> str:
        """Return the page of a key with its gaps filled; `make` makes it from what stands in the gaps.

        >>> memory = PageMemory()
        >>> [memory.page("hello", {"name": name}, lambda gaps: f"Hello {gaps['name']}!") for name in "ab"]
        ['Hello a!', 'Hello b!']
        """
        with self._lock:
            parts = self._pages.get(key)
            if parts is not None:
                self._pages.move_to_end(key)
        if parts is None:
            marks = {name: f"{self._secret}-{name}-" for name in gaps}
            parts = re.split(f"{self._secret}-([a-z_]+)-", make(marks))
            with self._lock:
                self._pages[key] = parts
                while len(self._pages) > self._most:
                    self._pages.popitem(last=False)
        filled = parts.copy()
        filled[1::2] = [gaps[name] for name in parts[1::2]]
        return "".join(filled)
