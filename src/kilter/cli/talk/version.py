"""What `kilter --version` says: one line, and with --verbose how this copy was built and what it finds."""

from __future__ import annotations

import platform
import re
import sys
from importlib import metadata
from typing import TYPE_CHECKING

import click

from kilter import __version__

if TYPE_CHECKING:
    from collections.abc import Callable

_VERBOSE = "kilter.cli.talk.version.verbose"


def version_options(program: Callable[[], None]) -> Callable[[], None]:
    """Return a program with the options --version and --verbose."""
    # --verbose is looked at first, wherever it stands, so that --version knows of it.
    verbose = click.option("--verbose", is_flag=True, is_eager=True, expose_value=False, callback=_keep,
                           help="With --version: say how it was built, and which extras are installed.")  # fmt: skip
    version = click.option("--version", is_flag=True, expose_value=False, callback=_tell,
                           help="Show the version and exit.")  # fmt: skip
    return version(verbose(program))


def _keep(context: click.Context, _option: click.Parameter, given: bool) -> None:
    context.meta[_VERBOSE] = given


def _tell(context: click.Context, _option: click.Parameter, given: bool) -> None:
    if context.resilient_parsing:
        return
    is_verbose = context.meta[_VERBOSE]
    if not given:
        if is_verbose:
            raise click.UsageError("--verbose goes with --version", context)
        return
    click.echo(f"kilter {__version__}")
    if is_verbose:
        for name, told in build_details().items():
            click.echo(f"{name:<13}  {told}")
    context.exit()


def build_details() -> dict[str, str]:
    """Return what a report of a fault should hold, in words, by what it is about."""
    from kilter._core import build_details as compiled

    core = compiled()
    found, missing = extras()
    return {
        "revision": core["revision"] or "not known",
        "compiler": core["compiler"],
        "instructions": f"{core['instructions']}; for products of integers, {core['products']}",
        "python": f"{platform.python_implementation()} {platform.python_version()}, "
        f"{sys.platform} {platform.machine()}",
        "numpy": metadata.version("numpy"),
        "extras": ", ".join(found) or "none",
        "not installed": ", ".join(missing) or "none",
    }


def extras() -> tuple[list[str], list[str]]:
    """Return the extras whose packages are all installed, and the others."""
    own = metadata.metadata("kilter")
    needed: dict[str, list[str]] = {name: [] for name in own.get_all("Provides-Extra", [])}
    for requirement in own.get_all("Requires-Dist", []):
        extra = re.search(r"extra == ['\"]([\w.-]+)['\"]", requirement)
        package = re.match(r"[\w.-]+", requirement)
        if extra and package:
            needed[extra[1]].append(package[0])
    # An extra that is made of others names Kilter itself, which is always there.
    is_there = {
        name: all(_is_installed(package) for package in packages)
        for name, packages in needed.items()
        if packages != ["kilter"]
    }
    return [name for name, there in is_there.items() if there], [
        name for name, there in is_there.items() if not there
    ]


def _is_installed(package: str) -> bool:
    try:
        metadata.version(package)
    except metadata.PackageNotFoundError:
        return False
    return True
