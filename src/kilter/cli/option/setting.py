"""Options that are fields of settings: name, help, default and type come from the field."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from types import UnionType
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

import click

from kilter.cli.command import COMPLETIONS, WholeNumber
from kilter.core.settings import Setting, declared
from kilter.run.scoring.settings import Settings
from kilter.stats.resampling import Resampling

if TYPE_CHECKING:
    from kilter.cli.option.option_list import Decorator, Options


def spelled_fields(kind: type) -> dict[str, Setting]:
    """Return the settings of a class itself."""
    return {name: each for name, each in declared(kind).items() if len(each.path) == 1}


_hints = cache(get_type_hints)
"""The types of all fields of a class, which are worked out once."""


def setting_option(kind: type, name: str, **changed: Any) -> Decorator:
    """Return the option that a field of settings declares; `changed` is what a command says otherwise."""
    entry = spelled_fields(kind)[name]
    spelling = entry.spelling
    known = {
        "help": spelling.description,
        "metavar": spelling.metavar,
        "shell_complete": COMPLETIONS.get(name),
        **_kind(name, _hints(kind)[name], entry.default),
    }
    return click.option(*entry.flags, name, **(known | changed))


def _kind(name: str, hint: object, default: object) -> dict[str, Any]:
    """Return what values an option takes and how often, by the type of its field."""
    if hint is bool:
        return {"is_flag": True}
    if _takes_several(hint):
        return {"multiple": True}
    if hint is int:
        return {"type": WholeNumber(name), "default": default, "show_default": True}
    if hint == int | None:
        return {"type": WholeNumber(name)}
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        values = [str(value) for value in hint]
        return {"type": click.Choice(values), "default": str(default), "show_default": True}
    return {} if default is None else {"default": str(default), "show_default": True}


def _takes_several(hint: object) -> bool:
    return get_origin(hint) is UnionType and any(get_args(each) for each in get_args(hint))


def settings_options(*, resampled: bool = True) -> list[Decorator]:
    """Return an option for every field of `Settings`, with those of its resampling before the threads.

    Commands by which nothing is resampled have no options of it.
    """
    names = [name for name in spelled_fields(Settings) if name != "jobs"]
    drawn = ("resamples", "seed") if resampled else ()
    return [
        *(setting_option(Settings, name) for name in names),
        *(setting_option(Resampling, name) for name in drawn),
        setting_option(Settings, "jobs"),
    ]


def chosen_settings(options: Options) -> Settings:
    """Return the settings that the options say; what is given nowhere is as usual."""
    # An option that may be repeated and never is, is an empty tuple.
    given = {name: options[name] for name in spelled_fields(Settings) if options[name] != ()}
    if "resamples" not in options:
        return Settings(**given)
    return Settings(**given, resampling=chosen_resampling(options))


def chosen_resampling(options: Options) -> Resampling:
    """Return how chance is drawn, as the options say."""
    return Resampling(resamples=options["resamples"], seed=options["seed"], jobs=options["jobs"])


def metric_option(description: str) -> Decorator:
    """Return the option that names metrics, which means something else to every command."""
    return setting_option(Settings, "metrics", help=description)
