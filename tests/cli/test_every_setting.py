"""Every setting of an evaluation file does what the option of `kilter meta` with its name does."""

import json
from pathlib import Path
from typing import Any

import click
import pytest

from kilter.cli.meta import command as meta
from kilter.run.meta.evaluation_file import PAIR_KEYS
from tests.cli.demonstrated import DEMONSTRATED
from tests.cli.demonstration import Demonstration
from tests.cli.test_every_option import Bench, asked, bench, option_of, values_of
from tests.thorough import some

__all__ = ["bench"]  # a fixture

SETTINGS = PAIR_KEYS
_RENAMED = {
    "references": "--reference",
    "rule": "--order-rule",
    "through_source": "--via-source",
    "source_hypothesis": "--links-source-hypothesis",
    "source_reference": "--links-source-reference",
}


def option_name(setting: str) -> str:
    return _RENAMED.get(setting, "--" + setting.replace("_", "-"))


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {json.dumps(path)}" for key, path in value.items()) + "}"
    return json.dumps(value)


def as_evaluation_file(arguments: tuple[str, ...], path: Path) -> list[str]:
    """Write what arguments of `meta` say about files, and return the others with --evaluation."""
    context = meta.make_context("meta", [*arguments[1:]], resilient_parsing=True)
    lines, rest = [], []
    for parameter in meta.params:
        assert isinstance(parameter, click.Option)
        value = context.params[str(parameter.name)]
        if parameter.name not in SETTINGS:
            named = max(parameter.opts, key=len)
            given = value if isinstance(value, tuple) else (value,)
            if value not in (None, (), {}, parameter.default) and not isinstance(value, bool):
                rest += [part for each in given for part in (named, str(each))]
            continue
        if value not in (None, (), {}):
            lines.append(f"{parameter.name} = {toml(value)}")
    text = "[pairs.only]\n" + "\n".join(lines) + "\n"
    path.write_text(text.replace('"in/', '"'), encoding="utf-8")  # paths are relative to the file
    return ["meta", "--evaluation", f"in/{path.name}", *rest]


def table(out: str) -> list[list[str]]:
    """Return the rows of a table without its first column, the language pair."""
    return [line.split("\t")[1:] for line in out.splitlines()]


@pytest.mark.parametrize("setting", some(SETTINGS, quick=[*SETTINGS][::6]))
def test_a_setting_of_an_evaluation_file_does_what_its_option_does(
    setting: str, bench: Bench
) -> None:
    name = option_name(setting)
    option, demonstration = option_of("meta", name), DEMONSTRATED["meta"][name]
    assert isinstance(demonstration, Demonstration)
    for place, value in enumerate(values_of(option, demonstration)):
        run = asked(demonstration, name, option, value)
        expected = bench.run(run)
        file = as_evaluation_file(run[0], bench.inputs / f"{setting}-{place}.toml")
        found = bench.run(((*file,), *run[1:]))
        assert found.code == expected.code, found
        if found.code == 0:
            assert table(found.out) == table(expected.out)
