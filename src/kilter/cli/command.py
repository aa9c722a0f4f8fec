"""Commands of settings: each is an option, with its help, its type, its check and its completion."""

from __future__ import annotations

from dataclasses import MISSING
from enum import StrEnum
from functools import update_wrapper
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from kilter.aligners.registry import ALIGNERS
from kilter.core.registry import option_values
from kilter.core.settings import (
    BOUNDS,
    FileUse,
    Group,
    Setting,
    declared,
    from_values,
    input_files,
    settings_function,
)
from kilter.io.tokenizer import NAMES
from kilter.metrics.registry import GROUPS, METRICS
from kilter.parsers.registry import PARSERS

if TYPE_CHECKING:
    from collections.abc import Callable

    Completion = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def settings_command(
    name: str,
    *,
    kind: type[click.Command] = click.Command,
    heading: Group = Group.OPTIONS,
    **extra: Any,
) -> Callable[[Callable[..., int | None]], click.Command]:
    """Return a decorator that makes a command of a function, whose parameters are its settings.

    Where settings must fit one another, they are fields of a class, which is the only parameter. Each is an option
    or an argument. Help lists them in groups; what belongs to none stands below the `heading`. A `kind` of
    group takes its own `extra` arguments.
    """

    def decorate(function: Callable[..., int | None]) -> click.Command:
        settings, run = settings_function(function)

        def called(**_values: Any) -> int | None:
            context = click.get_current_context()
            given = _given(context)
            if context.invoked_subcommand is None:
                code: int | None = run(from_values(settings, given))
                return code
            for idle in given:
                raise click.UsageError(
                    f"{declared(settings)[idle].flags[0]} has no effect before {context.invoked_subcommand}; "
                    "write it behind, if it is one of its options"
                )
            return None

        command: click.Command = _grouped(kind)(
            name,
            settings=settings,
            heading=heading,
            callback=update_wrapper(called, function),
            help=function.__doc__,
            **extra,
        )
        return command

    return decorate


def _given(context: click.Context) -> dict[str, Any]:
    """Return the values that were given; a class knows those that are as usual."""
    return {
        name: value
        for name, value in context.params.items()
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT
    }


def given_names() -> set[str]:
    """Return the names of the settings that the command line gives, also where they are as usual."""
    return {*_given(click.get_current_context())}


def _grouped(kind: type[click.Command]) -> Any:
    """Return the kind of command that has options of settings, and lists them by groups."""

    class _Grouped(kind):  # type: ignore[misc,valid-type]
        def __init__(self, name: str, *, settings: type, heading: Group, **extra: Any) -> None:
            own = declared(settings)
            super().__init__(name, params=[parameter(each) for each in own.values()], **extra)
            self.own, self.heading = own, heading

        def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
            rows: dict[Group, list[tuple[str, str]]] = {group: [] for group in Group}
            for each in self.get_params(ctx):
                own = self.own.get(str(each.name))
                record = (
                    each.get_help_record(ctx) if own is None or own.flags else _described(each, own)
                )
                if record is not None:
                    rows[_group(own, self.heading)].append(record)
            for group, records in rows.items():
                if records:
                    with formatter.section(group):
                        formatter.write_dl(records)
            if isinstance(self, click.Group):
                self.format_commands(ctx, formatter)

    return _Grouped


def _described(argument: click.Parameter, setting: Setting) -> tuple[str, str] | None:
    """Return the row of an argument in help; none where there is nothing to say."""
    name = argument.human_readable_name + ("..." if setting.several else "")
    return (name, setting.spelling.description) if setting.spelling.description else None


def _group(setting: Setting | None, heading: Group) -> Group:
    """Return where help lists an option: as its field says, else as its type does."""
    if setting is None:  # that of help itself
        return Group.OUTPUT
    if setting.spelling.group is not None:
        return setting.spelling.group
    return {FileUse.READ: Group.INPUT, FileUse.WRITTEN: Group.OUTPUT, None: heading}[setting.use]


def parameter(setting: Setting) -> click.Parameter:
    """Return the option, or the argument, that a setting is on a command line."""
    spelling = setting.spelling
    required = _is_missing(setting)
    known: dict[str, Any] = {
        "type": _type(setting),
        "required": required,
        "metavar": spelling.metavar or ("FILE" if setting.use and setting.flags else None),
        "shell_complete": COMPLETIONS.get(spelling.completes or setting.name),
        "nargs": 2 if setting.pair else 1,
    }
    if spelling.parse is not None:
        known["callback"] = _parsed(spelling.parse)
    default = None if required or setting.default in (None, False, (), {}) else setting.default
    if isinstance(default, StrEnum):
        default = str(default)
    if not setting.flags:
        known["nargs"] = -1 if setting.several else 1
        if not required:  # a default of None would be a value: click would not ask for the argument
            known["default"] = default
        return click.Argument([setting.name], **known)
    if setting.kind is bool:
        known = {"default": True, "show_default": True} if default else {"is_flag": True}
    elif setting.several:
        known["multiple"] = True
    elif default is not None:
        known |= {"default": default, "show_default": True}
    if spelling.without_value is not None:
        known |= {"is_flag": False, "flag_value": spelling.without_value}
    return _Option(
        [*setting.flags, setting.name], old=spelling.old, help=spelling.description, **known
    )


class _Option(click.Option):
    """An option with old names, which still work but are not shown, and a line of help without bounds."""

    def __init__(self, names: list[str], *, old: tuple[str, ...], **known: Any) -> None:
        super().__init__(names, **known)
        self.old = old

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Let a parser know all names."""
        shown, self.opts = self.opts, [*self.opts, *self.old]
        super().add_to_parser(parser, ctx)
        self.opts = shown

    def make_metavar(self, ctx: click.Context) -> str:
        """Return what help calls the value; of many choices the first."""
        if self.metavar is None and self.nargs == 1:
            if isinstance(self.type, click.Choice):
                choices = [str(choice) for choice in self.type.choices]
                if len("|".join(choices)) > _WIDEST_CHOICES:
                    return f"[{'|'.join(choices[:2])}|...]"
            elif isinstance(self.type, click.types.FloatParamType):
                return "NUMBER"
            elif isinstance(self.type, click.types.IntParamType):
                return "N"
        return super().make_metavar(ctx)

    def get_help_extra(self, ctx: click.Context) -> Any:
        """Return what stands in brackets; a value that breaks a bound is an error that names it."""
        return {name: text for name, text in super().get_help_extra(ctx).items() if name != "range"}


_WIDEST_CHOICES = 44
"""Columns of choices that help shows; the reference of commands and errors list all."""


def _is_missing(setting: Setting) -> bool:
    return setting.default is MISSING


def _parsed(parse: Callable[[Any], Any]) -> Callable[[click.Context, click.Parameter, Any], Any]:
    def parsed(context: click.Context, option: click.Parameter, value: Any) -> Any:
        given = context.get_parameter_source(str(option.name)) is ParameterSource.COMMANDLINE
        return parse(value) if given else value

    return parsed


def _type(setting: Setting) -> click.ParamType[Any] | None:
    """Return what click makes of the text of a value."""
    spelling, kind = setting.spelling, setting.kind
    if setting.use is not None:
        return FILE_NAME
    if spelling.choices:
        known = OptionalChoice if spelling.without_value is not None else click.Choice
        return known(spelling.choices)
    if kind is int:
        return _whole_number(setting)
    if kind is float:
        return FiniteNumber(spelling.low, spelling.high, min_open=spelling.above_low)
    if issubclass(kind, StrEnum):
        return EnumChoice(kind)
    return click.Path(path_type=Path) if kind is Path else None


def _whole_number(setting: Setting) -> click.ParamType[Any]:
    low, high = setting.spelling.low, setting.spelling.high
    if low is None and high is None:
        return WholeNumber(setting.name) if setting.name in BOUNDS else click.INT
    return click.IntRange(_whole(low), _whole(high))


def _whole(bound: float | None) -> int | None:
    return None if bound is None else int(bound)


def read_files(settings: object) -> list[str]:
    """Return whatever may be read: inputs, and what options of metrics, aligners and parsers are set to."""
    specified = [
        value
        for name in ("metrics", "aligner", "parser")
        if name in declared(type(settings))
        for value in option_values(declared(type(settings))[name].value(settings))
    ]
    return [*input_files(settings), *specified]


class _FileName(click.types.StringParamType):
    """A name, or `-` for a standard stream; what an unset shell variable leaves is refused."""

    name = "file"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        if value == "":
            self.fail("the file name is empty", param, ctx)
        return str(super().convert(value, param, ctx))

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return that a shell completes names of files."""
        return [CompletionItem(incomplete, type="file")]


FILE_NAME = _FileName()


class WholeNumber(click.IntRange):
    """A whole number from a least one, which help shows, to a greatest, which nobody should need."""

    def __init__(self, name: str) -> None:
        least, self.greatest = BOUNDS[name]
        super().__init__(least)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number, or fail with the bound that it breaks."""
        number = int(super().convert(value, param, ctx))
        if number > self.greatest:
            self.fail(
                f"{number} is more than {self.greatest}; write a number from {self.min} to {self.greatest}.",
                param,
                ctx,
            )
        return number


class FiniteNumber(click.FloatRange):
    """A number between bounds; `nan`, which no bound keeps out, and infinity are refused."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number, or fail with what is wrong with it."""
        number = float(super().convert(value, param, ctx))
        if not isfinite(number):
            self.fail(f"{number} is not a finite number.", param, ctx)
        return number


class EnumChoice(click.Choice[str]):
    """A choice of the values of an enumeration, and this value."""

    def __init__(self, kind: type[StrEnum]) -> None:
        super().__init__([str(value) for value in kind])
        self.kind = kind

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> StrEnum:
        """Return the value of the enumeration, or fail with those that there are."""
        return self.kind(super().convert(str(value), param, ctx))


class OptionalChoice(click.Choice[str]):
    """A choice that may be left out, so that the word behind it may have been meant as the file."""

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Return the choice; what is none may have been meant as the file, and the error says so."""
        if isinstance(value, str) and param is not None and value not in self.choices:
            allowed = ", ".join(self.choices)
            option = param.opts[0]
            self.fail(
                f"{value!r} is not one of {allowed}; put the file before {option}, or write "
                f"{option}={self.choices[0]}",
                param,
                ctx,
            )
        return super().convert(value, param, ctx)


def _completion(names: Callable[[], list[str]]) -> Completion:
    def complete(
        _context: click.Context, _parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(name) for name in names() if name.startswith(incomplete)]

    return complete


def _folder(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    return [CompletionItem(incomplete, type="dir")]


COMPLETIONS = {
    "metrics": _completion(lambda: [*METRICS.names(), *GROUPS]),
    "aligner": _completion(ALIGNERS.names),
    "parser": _completion(PARSERS.names),
    "tokenize": _completion(lambda: [name.removesuffix("LANG") for name in NAMES]),
    "cache": _folder,
}
"""How the values of options are completed, by their names."""
