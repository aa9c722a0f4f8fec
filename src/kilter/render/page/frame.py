"""What every page that needs nothing but itself begins and ends with."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html import escape
from pathlib import Path

from kilter import __version__

STATIC = Path(__file__).parent / "static"


def framed(
    title: str,
    *parts: str,
    data: str = "",
    script: str = "",
    style: str = "",
    policy: str = "",
) -> str:
    """Return a page of these parts in the looks of reports; nothing is loaded, and only its own `script` runs.

    `data` are scripts that do not run; `style` adds to the looks, `policy` to what is allowed.
    """
    looks = (STATIC / "report.css").read_text(encoding="utf-8") + style
    allowed = f" script-src 'sha256-{_hash(script)}';" if script else ""
    rules = (
        f"default-src 'none'; style-src 'unsafe-inline';{allowed} img-src data:; base-uri 'none'; "
        f"form-action 'none'{policy}"
    )
    return "".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            f'<meta http-equiv="Content-Security-Policy" content="{rules}">\n',
            f'<link rel="icon" href="data:,">\n<title>{escape(title)}</title>\n',
            f"<style>{looks}</style>\n</head>\n<body>\n",
            *parts,
            f"<footer><p>Made by Kilter {escape(__version__)}.</p></footer>\n",
            data,
            f"<script>{script}</script>\n" if script else "",
            "</body>\n</html>\n",
        ]
    )


def _hash(script: str) -> str:
    return b64encode(sha256(script.encode()).digest()).decode()
