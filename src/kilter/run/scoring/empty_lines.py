"""What becomes of lines without a word."""

from __future__ import annotations

from kilter.core.choice import Choice


class EmptyLines(Choice):
    """What to do with empty lines: score them, or stop at the first."""

    KEEP = "keep"
    STOP = "stop"
