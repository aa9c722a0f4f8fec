"""Changes that no test can notice, and why: `tools/mutation/survivors.toml`."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from tools.mutation.workspace import ROOT, sources

REASONS = Path(__file__).with_name("survivors.toml")


@dataclass(frozen=True)
class Survivor:
    """A change, by the lines it replaces in a function of a file of `src/`, and why nothing follows."""

    file: str
    within: str
    before: str
    after: str
    reason: str

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What a change is recognised by; line numbers, which move, are not in it."""
        return self.file, self.within, self.before, self.after


def survivors(path: Path = REASONS) -> list[Survivor]:
    """Return the survivors with a reason; a second entry or an empty reason is an error."""
    listed = tomllib.loads(path.read_text(encoding="utf-8")).get("survivor", [])
    found = [Survivor(**entry) for entry in listed]
    where = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    seen: set[tuple[str, str, str, str]] = set()
    for survivor in found:
        if survivor.key in seen:
            raise SystemExit(f"{where}: {survivor.file}: {survivor.after!r} is listed twice")
        if not survivor.reason.strip():
            raise SystemExit(f"{where}: {survivor.file}: {survivor.after!r} has no reason")
        seen.add(survivor.key)
    return found


def stale(listed: list[Survivor]) -> list[Survivor]:
    """Return the entries whose lines are no longer in their file."""
    texts = {
        file: "\n".join(line.strip() for line in text.splitlines())
        for file, text in sources().items()
    }
    return [
        survivor
        for survivor in listed
        if f"\n{survivor.before}\n" not in f"\n{texts.get(survivor.file, '')}\n"
    ]
