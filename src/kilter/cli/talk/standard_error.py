"""What is said on standard error, whether or not anybody can hear it."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

import click


def say(message: str) -> None:
    """Write one line to standard error; where nobody listens, results and exit code stay the same."""
    try:
        click.echo("kilter: " + message.replace("\n", " "), err=True)
    except OSError:
        _forget_listener()


def end_talk() -> None:
    """Say what is left to be said, so that the interpreter does not fail to on its way out."""
    try:
        if sys.stderr is not None:
            sys.stderr.flush()
    except OSError:
        _forget_listener()


def _forget_listener() -> None:
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
