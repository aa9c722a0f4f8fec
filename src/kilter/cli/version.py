"""What `kilter --version` says: one line, and with --verbose how this copy was built and what it finds."""

from __future__ import annotations

import platform
import re
import sys
from typing import TYPE_CHECKING

import click

from kilter import __version__

if TYPE_CHECKING:
    from collections.abc import Callable

_VERBOSE = "kilter.cli.version.verbose"


def version_options(program: Callable[[], None]) -> Callable[[], None]:
    """Return a program with the options --version and --verbose."""
    # --verbose is looked at first, wherever it stands, so that --version knows of it.
    verbose = click.option("--verbose", is_flag=True, is_eager=True, expose_value=False, callback=_keep,
                           help="With --version: build details and installed extras.")  # fmt: skip
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
    from importlib import metadata

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
    from importlib import metadata

    found, missing = list[str](), list[str]()
    for name in metadata.metadata("kilter").get_all("Provides-Extra", []):
        wanted = _wanted("kilter", name)
        if any(package == "kilter" for package, _ in wanted):
            continue  # it is made of others
        is_there = all(_is_installed(package, more) for package, more in wanted)
        (found if is_there else missing).append(name)
    return found, missing


def _wanted(package: str, extra: str) -> list[tuple[str, list[str]]]:
    """Return the packages that an extra of an installed package wants, with their own extras."""
    from importlib import metadata

    wanted = []
    for requirement in metadata.metadata(package).get_all("Requires-Dist", []):
        named = re.match(r"([\w.-]+) *(?:\[([^]]*)\])?", requirement)
        for_extra = re.search(r"extra *== *['\"]([\w.-]+)['\"]", requirement)
        if named and for_extra and for_extra[1] == extra:
            wanted.append((named[1], re.findall(r"[\w.-]+", named[2] or "")))
    return wanted


def _is_installed(package: str, extras: list[str]) -> bool:
    """Return whether a package is there, and all that its extras want."""
    from importlib import metadata

    try:
        metadata.version(package)
    except metadata.PackageNotFoundError:
        return False
    return all(_is_installed(*each) for extra in extras for each in _wanted(package, extra))
