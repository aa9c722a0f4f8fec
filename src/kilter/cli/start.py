"""Where the `kilter` command begins: next to nothing is imported before an interrupt is heeded."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit; an interrupt while it is still being loaded is exit code 130."""
    try:
        from kilter.cli.main import main as loaded

        loaded()
    except KeyboardInterrupt:
        sys.exit(130)
