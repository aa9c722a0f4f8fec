"""Nasty inputs that are kept: each is read or refused as any other, and none of them crashes anything."""

import resource
import warnings
from pathlib import Path

import pytest

from kilter.errors import KilterWarning
from tests.fuzz import bindings
from tests.fuzz.targets import CORPUS, Kind, corpus, function, targets
from tests.kernels.hostile import CLASSES, FUNCTIONS

PYTHON = [target.name for target in targets().values() if target.kind is Kind.ATHERIS]


@pytest.mark.parametrize("name", PYTHON)
def test_kept_inputs_end_in_a_result_or_a_documented_error(name: str) -> None:
    check = function(name)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for path in corpus(name):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", KilterWarning)
            try:
                check(path.read_bytes())
            except Exception as error:
                error.add_note(f"replaying {path.relative_to(CORPUS)} for {name}")
                raise
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 2 << 20, "2 GB, in KiB"


def test_every_target_of_readers_and_bindings_has_kept_inputs() -> None:
    assert not [name for name in PYTHON if not (CORPUS / name).is_dir()]


def test_every_folder_of_kept_inputs_is_of_a_target() -> None:
    assert {path.name for path in CORPUS.iterdir()} <= {"any", *targets()}


def test_every_binding_is_in_one_group() -> None:
    grouped = [name for names in bindings.GROUPS.values() for name in names]
    assert sorted(grouped) == sorted({*FUNCTIONS, *CLASSES})


def test_every_kernel_target_is_in_the_table() -> None:
    folder = Path(__file__).parent / "kernels"
    text = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.cpp"))
    listed = [target.name for target in targets().values() if target.kind is Kind.LIBFUZZER]
    assert text.count("const Register ") == len(listed)
    for name in listed:
        assert f'("{name.removeprefix("kernel-")}", ' in text, name
