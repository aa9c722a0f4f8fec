"""Options that the commands over text share, and the texts behind them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from kilter.cli.command import FILE_NAME
from kilter.cli.option.execution import quiet_option
from kilter.cli.option.form import link_format_option
from kilter.cli.option.input_text import (
    column_option,
    references_option,
    source_option,
    with_columns,
)
from kilter.cli.option.option_list import option_list
from kilter.cli.option.setting import chosen_settings, setting_option, settings_options
from kilter.core.counted import counted
from kilter.core.errors import OptionError
from kilter.core.registry import option_values
from kilter.io.link_format import LinkFormat, link_files
from kilter.io.stream import display_name, refuse_repeated
from kilter.io.text_file import TextStream, part_names, text_part
from kilter.run.scoring.settings import Settings

if TYPE_CHECKING:
    from kilter.cli.option.option_list import Decorator, Options
    from kilter.run.scoring.corpus import Texts
    from kilter.run.scoring.structure_files import StructureFiles
    from kilter.run.scoring.text_streams import TextStreams

given_link_options = option_list(
    click.option("-a", "--links", "links", multiple=True, type=FILE_NAME, metavar="FILE",
                 help="Hypothesis-reference links: one file per system (for several references, the "
                      "files of the first system first); FORWARD::REVERSE for two directions."),
    click.option("--links-source-hypothesis", "source_hypothesis", multiple=True, type=FILE_NAME, metavar="FILE",
                 help="Source-hypothesis links, one file per system."),
    click.option("--links-source-reference", "source_reference", multiple=True, type=FILE_NAME, metavar="FILE",
                 help="Source-reference links, one file per reference."),
    click.option("--through-source", is_flag=True,
                 help="Join the two kinds of source links instead of running an aligner."),
    link_format_option,
)  # fmt: skip
link_options = option_list(given_link_options, setting_option(Settings, "rule"))
"""The options of given links, and of the orders that are made of them."""
tree_options = option_list(
    click.option("--trees", "trees", multiple=True, type=FILE_NAME, metavar="FILE",
                 help="Dependency trees of a system in CoNLL-U; once for each system, in order."),
    click.option("--trees-reference", "trees_reference", multiple=True, type=FILE_NAME, metavar="FILE",
                 help="Dependency trees of a reference; once for each reference."),
    click.option("--trees-source", "trees_source", type=FILE_NAME, metavar="FILE",
                 help="Dependency trees of the source."),
)  # fmt: skip
"""The options of given dependency trees."""
structure_options = option_list(given_link_options, tree_options)
"""The options of given links and dependency trees."""


def _text_options(*, resampled: bool) -> Decorator:
    return option_list(
        source_option(),
        column_option("hypothesis", "reference", "source"),
        *settings_options(resampled=resampled),
        click.option("--name", "names", multiple=True, metavar="NAME",
                     help="Name of a system, once for each; else several are called as their files, and one "
                          "is called system."),
        structure_options,
        quiet_option,
    )  # fmt: skip


_TEXT_OPTIONS = _text_options(resampled=True)
text_options = option_list(
    click.argument("systems", nargs=-1, required=True, type=FILE_NAME),
    references_option(required=True),
    _TEXT_OPTIONS,
)
"""The options of commands that score texts: what is given, and every one of `Settings`."""
optional_text_options = option_list(
    click.argument("systems", nargs=-1, type=FILE_NAME), references_option(), _TEXT_OPTIONS
)
"""The same of commands that can do without texts."""
measured_text_options = _text_options(resampled=False)
"""The same of commands that resample nothing and have arguments and references of their own."""


@dataclass(frozen=True)
class TextInputs:
    """What the shared options say, read."""

    texts: Texts
    settings: Settings


def given_files(options: Options, *, standard_input: bool = False) -> list[str]:
    """Return every file that the shared options name, and - for standard input if asked for."""
    paths = [*options["systems"], *options["references"]]
    for name in ("links", "source_hypothesis", "source_reference"):
        paths += link_files(options[name])
    paths += [*options["trees"], *options["trees_reference"]]
    paths += [path for path in (options["source"], options["trees_source"]) if path]
    files = [text_part(path).path for path in paths]
    return [path for path in files if standard_input or path != "-"]


def read_files(options: Options) -> list[str]:
    """Return whatever may be read: the same, and what options of metrics, aligners and parsers are set to."""
    chosen = (options.get(name) for name in ("metrics", "aligner", "parser"))
    return [*given_files(options), *(value for each in chosen for value in option_values(each))]


def check_standard_input(options: Options) -> None:
    """Raise an `OptionError` if two files are to come from standard input."""
    if given_files(options, standard_input=True).count("-") > 1:
        raise OptionError("only one file can come from standard input")


@dataclass(frozen=True)
class StreamInputs:
    """What the shared options say; texts are checked, but not in memory."""

    streams: TextStreams
    settings: Settings


def stream_inputs(options: Options) -> StreamInputs:
    """Return the same as `read_inputs`, with texts that are read some lines at a time."""
    from kilter.run.scoring.text_streams import TextStreams

    named = _named_files(options)
    streams = TextStreams(
        systems={name: TextStream(path) for name, path in named.systems.items()},
        references={display_name(path): TextStream(path) for path in named.references},
        source=None
        if named.source is None
        else (display_name(named.source), TextStream(named.source)),
        files={name: display_name(path) for name, path in named.systems.items()},
        structures=structure_files(options),
    )
    streams.check()
    return StreamInputs(streams, chosen_settings(options))


class _NamedFiles(NamedTuple):
    """The files of texts, with the columns of tables."""

    systems: dict[str, str]
    references: list[str]
    source: str | None


def _named_files(options: Options) -> _NamedFiles:
    systems, references = list(options["systems"]), list(options["references"])
    check_standard_input(options)
    refuse_repeated(references)
    if not options["names"]:  # who names one file twice means it, for links or trees of its own
        refuse_repeated(systems)
    names = _names(systems, options["names"])
    columns = options["columns"]
    systems = with_columns(systems, columns, "hypothesis")
    references = with_columns(references, columns, "reference")
    sources = with_columns([options["source"]] if options["source"] else [], columns, "source")
    return _NamedFiles(
        systems=dict(zip(names, systems, strict=True)),
        references=references,
        source=sources[0] if sources else None,
    )


def read_inputs(options: Options) -> TextInputs:
    """Return the texts and links behind the shared options; whatever is wrong is an error."""
    inputs = stream_inputs(options)
    return TextInputs(inputs.streams.whole(), inputs.settings)


def structure_files(options: Options) -> StructureFiles:
    """Return the files of links and trees that the options name."""
    from kilter.run.scoring.structure_files import StructureFiles

    named = any(options[name] for name in ("links", "source_hypothesis", "source_reference"))
    if options["link_format"] != LinkFormat.PHARAOH and not named:
        raise OptionError("--link-format has no effect without files of links; leave it out")
    known = [entry.name for entry in fields(StructureFiles) if entry.name in options]
    return StructureFiles(**{name: options[name] for name in known})


def _names(systems: list[str], names: tuple[str, ...]) -> list[str]:
    if not names:
        return system_names(systems)
    if len(names) != len(systems) or len(set(names)) != len(names):
        raise OptionError(
            f"give {counted(len(systems), 'different name')} with --name, one per system"
        )
    if "" in names:
        raise OptionError("a name given with --name is empty; give every system one")
    return list(names)


def system_names(paths: list[str]) -> list[str]:
    """Return the shortest names that tell systems apart: file names without suffixes, or paths.

    One system alone is called as in Python, so that its results do not depend on where its text lay.
    """
    if len(paths) == 1:
        from kilter.run.scoring.corpus import ALONE

        return [ALONE]
    parts = zip(part_names(paths), paths, strict=True)
    plain = [_stem(path) if part is None else part for part, path in parts]
    return plain if len(set(plain)) == len(plain) else [display_name(path) for path in paths]


def _stem(path: str) -> str:
    if path == "-":
        return "stdin"
    name = Path(text_part(path).path).name
    for suffix in (".gz", ".xz"):
        name = name.removesuffix(suffix)
    return name.removesuffix(".txt")
