"""What is said on standard error, whether or not it can be written."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

import click


def say(message: str) -> None:
    """Write one line to standard error; where that fails, results and exit code stay the same."""
    try:
        click.echo("kilter: " + message.replace("\n", " "), err=True)
    except OSError:
        _discard_further_output()


def flush_standard_error() -> None:
    """Write what is left to be said, so that the interpreter does not fail to on its way out."""
    try:
        if sys.stderr is not None:
            sys.stderr.flush()
    except OSError:
        _discard_further_output()


def _discard_further_output() -> None:
    """Send whatever is still written to standard error nowhere: it is closed, or its disk is full."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
