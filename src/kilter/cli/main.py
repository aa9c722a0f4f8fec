"""The `kilter` command: finds sub-commands and turns errors into one line and an exit code."""

from __future__ import annotations

import errno
import os
import sys
import warnings
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kilter.cli.console import flush_standard_error, print_message
from kilter.cli.group import LazyGroup, UnknownCommandError
from kilter.cli.version import version_options
from kilter.core import interrupt
from kilter.core.errors import InputError, KilterError, KilterWarning, OptionError
from kilter.io.stream import is_utf8

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMMANDS = {
    "score": "score systems against references",
    "compare": "test which system is better",
    "explain": "show which words are out of order, and where they belong",
    "report": "write an HTML report on systems, with every segment",
    "align": "align the words of two texts",
    "validate": "check input files and list every problem",
    "metrics": "list and describe the metrics",
    "demo": "score a bundled sample and write a report on it",
    "check": "check systems against floors and a baseline, for CI",
    "latency": "split the lag of live translation: what does order force",
    "variation": "measure how translations of one source differ",
    "meta": "measure how well metrics agree with human judgments",
    "spans": "convert, check and score error spans",
    "tune": "find the metric options that agree best with judgments",
    "perturb": "change sentences on purpose: move, swap or replace words",
    "permutation": "score permutations and draw their trees",
    "published": "recompute the tables of publications",
    "reorder": "create, score and check reordered sentences",
    "preorder": "apply and evaluate pre-ordering rules",
    "parse": "parse a text into dependency trees",
    "train": "train a parser on a treebank",
    "rerank": "choose the best entries of n-best lists",
    "survey": "run a study: web survey, paper booklets, analysis",
    "annotate": "have people align words, in the browser",
    "cache": "show or clear cached links and parses",
    "completion": "print a script that completes commands in a shell",
}
_KINDS = {
    "check": "More uses",
    "meta": "Research",
    "reorder": "Pre-ordering and parsing",
    "survey": "Human studies",
    "cache": "Housekeeping",
}
"""The first command of each kind, with the heading of the kind in help; those before it are for everybody."""


class _ReaderGoneError(Exception):
    """Standard output is a closed pipe; click would make exit code 1 of the plain error."""


@contextmanager
def _noticing_closed_pipes() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError as error:
        raise _ReaderGoneError from error


# A full disk, a limit on file sizes, a device that fails, a descriptor that is closed.
_CANNOT_WRITE = frozenset({errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EBADF, errno.EDQUOT})


class _Program(LazyGroup):
    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        with _noticing_closed_pipes():  # --help writes while options are read
            return super().make_context(info_name, args, parent, **extra)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.format_commands(ctx, formatter)
        click.Command.format_options(self, ctx, formatter)

    def invoke(self, ctx: click.Context) -> object:
        interrupt.raise_if_pending()
        with _noticing_closed_pipes():
            return super().invoke(ctx)


@click.group(
    cls=_Program,
    summaries=_COMMANDS,
    kinds=_KINDS,
    epilog="Results go to standard output, messages to standard error. Exit codes: 0 success, 1 a bug, 2 wrong "
    "usage, 3 wrong data, 4 an optional tool is missing, 5 a check failed.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@version_options
def cli() -> None:
    """Measure word order in machine translation.

    \b
    Try it:
      kilter demo
      kilter score -r reference.txt system.txt
      kilter explain "the mat sat on the cat" "the cat sat on the mat"
    """


def main() -> None:
    """Run the command line and exit."""
    if sys.getfilesystemencoding() != "utf-8":
        # Names of files are UTF-8 whatever the locale says, as what is written is.
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606 - itself
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run the command line with these arguments and return its exit code."""
    code = 0
    _speak_utf8()
    if sys.stdout is None or sys.stdout.closed:
        print_message("standard output is closed; there is nowhere to write")
        return InputError.exit_code
    try:
        _check_arguments(arguments)
        with _saying_warnings():
            result = cli.main(args=arguments, prog_name="kilter", standalone_mode=False)
        code = result if isinstance(result, int) else 0
        sys.stdout.flush()
    except KilterError as error:
        code = _told(error)
    except click.exceptions.NoArgsIsHelpError as help_text:
        with suppress(OSError):
            click.echo(help_text.format_message(), err=True)
        code = help_text.exit_code
    except click.exceptions.Exit as stop:
        code = stop.exit_code
    except click.ClickException as error:
        print_message(error.format_message() + _help_hint(error))
        code = error.exit_code
    except (BrokenPipeError, _ReaderGoneError):
        # The reader has seen enough. Nothing may be flushed into the closed pipe on the way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (click.Abort, KeyboardInterrupt):
        code = 130
    except OSError as error:
        if not _is_told(error):
            raise
        code = InputError.exit_code
    flush_standard_error()
    return code


def _help_hint(error: click.ClickException) -> str:
    """Return which help would have told what there is, where click knows the command."""
    if not isinstance(error, click.UsageError) or not error.ctx:
        return ""
    listed = "commands" if isinstance(error, UnknownCommandError) else "options"
    return f" ('{error.ctx.command_path} --help' lists the {listed})"


def _told(error: KilterError) -> int:
    """Say an error, with what else is wrong in a line for each, and return its exit code."""
    for message in (error.for_command(), *getattr(error, "__notes__", ())):
        print_message(message)
    return error.exit_code


@contextmanager
def _saying_warnings() -> Iterator[None]:
    """Say each warning of Kilter once, in one line as errors are, unless a command is to be quiet."""
    said: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        if not issubclass(category, KilterWarning):
            usual(message, category, *place, **more)
            return
        context = click.get_current_context(silent=True)
        quiet = context is not None and context.params.get("quiet")
        if str(message) not in said and not quiet:
            print_message(str(message))
        said.add(str(message))

    with warnings.catch_warnings():
        warnings.simplefilter("always", KilterWarning)
        usual, warnings.showwarning = warnings.showwarning, show
        yield


def _check_arguments(arguments: list[str]) -> None:
    """Raise an `OptionError` for a file name or another argument that no output could spell."""
    for argument in arguments:
        if not is_utf8(argument):
            raise OptionError(f"{argument} is not UTF-8; if it is a file, rename it")


def _is_told(error: OSError) -> bool:
    """Say what is wrong around the process, and return whether that is what the error is about."""
    if isinstance(error, FileNotFoundError) and _is_nowhere():
        print_message("the working directory was removed; go to one that exists, with cd")
        return True
    if error.errno in _CANNOT_WRITE:
        print_message(f"standard output cannot be written: {error.strerror}")
        _forget_output()
        return True
    return False


def _is_nowhere() -> bool:
    """Return whether there is no working directory any more, so that no relative path leads anywhere."""
    try:
        Path.cwd()
    except FileNotFoundError:
        return True
    return False


def _forget_output() -> None:
    """Keep the interpreter from trying again to write what could not be written."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except OSError:
        sys.stdout = None


def _speak_utf8() -> None:
    """Write UTF-8 whatever the locale says, so that results are the same everywhere."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
