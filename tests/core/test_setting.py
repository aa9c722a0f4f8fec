"""Fields that declare settings."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field
from typing import TYPE_CHECKING

import pytest

from kilter.core.errors import OptionError
from kilter.core.settings import (
    FileUse,
    InputFile,
    OutputFile,
    argument,
    declared,
    flag,
    from_values,
    input_files,
    like,
    mixed,
    setting,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator


@dataclass(frozen=True, kw_only=True)
class Run:
    """Settings that others hold."""

    jobs: int = setting("-j", "--jobs", default=1, description="Threads.")
    plain: int = 2
    quiet: bool = flag(description="Say nothing.")

    def problems(self, given: Collection[str]) -> Iterator[str]:
        if self.quiet and self.jobs > 4:
            yield f"too many threads to be quiet, {', '.join(given)}"


@dataclass(frozen=True, kw_only=True)
class Kept:
    """Settings with everything."""

    paths: tuple[InputFile, ...] = argument(metavar="PATHS")
    gold: InputFile | None = setting(default=None, description="Gold.")
    output: OutputFile | None = setting("-o", "--output", default=None, description="Where.")
    append: bool = flag(needs="output", description="Add to it.")
    pair: tuple[str, str] | None = setting(default=None, description="Two.")
    names: dict[str, str] = field(default_factory=dict)
    run: Run = mixed(Run, jobs="Workers.")


def test_a_setting_is_a_field_with_its_default() -> None:
    assert (Run(), Run(jobs=3).jobs) == (Run(jobs=1, plain=2, quiet=False), 3)


def test_only_fields_that_are_settings_are_declared_with_those_that_they_hold() -> None:
    known = declared(Kept)
    assert [*known] == ["paths", "gold", "output", "append", "pair", "jobs", "quiet"]
    assert [each.flags for each in known.values()] == [
        (), ("--gold",), ("-o", "--output"), ("--append",), ("--pair",), ("-j", "--jobs"), ("--quiet",)
    ]  # fmt: skip
    assert [each.called for each in known.values()][:3] == ["PATHS", "--gold", "--output"]
    assert known["jobs"].path == ("run", "jobs")
    assert known["jobs"].spelling.description == "Workers."
    assert (known["paths"].default, known["jobs"].default) == (MISSING, 1)


def test_a_type_says_how_often_a_value_is_given_and_what_it_names() -> None:
    known = declared(Kept)
    assert [name for name, each in known.items() if each.several] == ["paths"]
    assert [name for name, each in known.items() if each.pair] == ["pair"]
    assert (known["gold"].use, known["output"].use) == (FileUse.READ, FileUse.WRITTEN)
    assert {known[name].kind for name in ("paths", "gold", "pair")} == {str}


def test_settings_are_left_out_of_a_mix_by_their_names() -> None:
    @dataclass(frozen=True)
    class Outer:
        run: Run = mixed(Run, without=("quiet",))

    assert [*_names(Outer)] == ["jobs"]


def test_a_setting_like_another_keeps_what_is_not_changed() -> None:
    @dataclass(frozen=True)
    class Own:
        jobs: int = like(Run, "jobs", default=3, description="Others.")

    (own,) = declared(Own).values()
    assert (own.flags, own.default, own.spelling.description) == (("-j", "--jobs"), 3, "Others.")
    assert Own().jobs == 3


def test_values_reach_the_settings_that_declare_them() -> None:
    found = from_values(Kept, {"paths": ("a",), "jobs": 2, "quiet": True})
    assert found == Kept(paths=("a",), run=Run(jobs=2, quiet=True))


def test_what_has_no_name_here_is_refused_with_those_that_have() -> None:
    with pytest.raises(OptionError, match="there is no option 'job'; the options are: paths, "):
        from_values(Kept, {"job": 1})


def test_everything_that_is_wrong_across_fields_is_told_at_once() -> None:
    with pytest.raises(OptionError) as raised:
        from_values(Kept, {"paths": ("-",), "gold": "-", "append": True, "jobs": 9, "quiet": True})
    assert [str(raised.value), *raised.value.__notes__] == [
        "--append goes with --output FILE",
        "only one input can come from standard input",
        "too many threads to be quiet, paths, gold, append, jobs, quiet",
    ]


@pytest.mark.parametrize("paths", [("-", "-"), ("-::a", "-"), ("-::-",)])
def test_one_input_comes_from_standard_input(paths: tuple[str, ...]) -> None:
    with pytest.raises(OptionError, match="only one input can come from standard input"):
        from_values(Kept, {"paths": paths})


def test_inputs_are_the_files_that_are_read_and_not_their_parts() -> None:
    found = from_values(Kept, {"paths": ("-", "a.tsv#x", "b::c"), "gold": "d", "output": "e"})
    assert input_files(found) == ["a.tsv#x", "a.tsv", "b::c", "b", "c", "d"]


def _names(kind: type) -> list[str]:
    return [*declared(kind)]
