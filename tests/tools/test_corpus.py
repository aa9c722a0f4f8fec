"""Nasty inputs that are kept: each is read or refused as any other, and none of them crashes anything."""

import os
import re
import resource
import subprocess
import warnings
from pathlib import Path

import pytest

from kilter.core.errors import KilterWarning
from tests.kernels.hostile import CLASSES, FUNCTIONS
from tools.fuzz import bindings
from tools.fuzz.__main__ import BUILD, ROOT
from tools.fuzz.targets import CORPUS, Kind, corpus, function, targets

PYTHON = [target.name for target in targets().values() if target.kind is Kind.ATHERIS]
COMPILED = [target.name for target in targets().values() if target.kind is Kind.LIBFUZZER]
KERNELS = ROOT / "kernels"
FUZZED = Path(__file__).parents[2] / "tools" / "fuzz" / "kernels"
REACHED = {
    "load_encoder": "model_folder and network, which read its files",
    "load_rule_set": "parse_rule_set",
    "load_tables": "load_model",
    "read_annotations": "checked_links and checked_text_file",
    "read_column": "checked_text_file",
    "read_corpus": "checked_text_file and read_conllu",
    "read_judgment_table": "read_judgments",
    **dict.fromkeys(
        (
            "read_doccano",
            "read_esa",
            "read_label_studio",
            "read_m2",
            "read_mqm",
            "read_mtme",
            "read_own",
            "read_pearmut",
            "read_tags",
            "read_wmt",
            "read_xcomet",
        ),
        "read_spans",
    ),
    "read_hypotheses": "read_study",
    "read_lines": "read_permutations",
    "read_table_lines": "read_judgments and others, which read tables",
    "read_linked": "checked_links and checked_text_file",
    "read_links": "checked_links",
    "read_model": "load_model and load_network",
    "read_number": "read_table",
    "read_page": "nothing; it looks at pictures that sheets has read",
    "read_rows": "read_permutation_table and read_permutation_json",
    "read_secret": "nothing; it asks a database",
    "read_state": "nothing; it asks a database",
    "read_sgm": "checked_text_file",
    "read_text_rows": "read_metric_scores",
    "read_text_file": "checked_text_file",
    "read_text_files": "checked_text_file",
    "read_toml": "read_study",
    "read_toml_of_schema": "read_study",
    "read_toml_text": "parse_rule_set",
}
"""Readers that targets do not name, and what they are read through, or why they read no file."""


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


@pytest.mark.parametrize("name", [name for name in COMPILED if corpus(name)])
def test_kept_inputs_break_no_law_of_a_kernel(name: str) -> None:
    binary = BUILD / "kernels"
    if not binary.exists():
        pytest.skip("the kernels were not compiled for it; tools/fuzz/build.sh does so")
    environment = {**os.environ, "KILTER_TARGET": name.removeprefix("kernel-")}
    command = [str(binary), *map(str, corpus(name))]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr


def test_every_kernel_is_reached_by_a_target() -> None:
    def included(path: Path) -> set[str]:
        found = re.findall(r'#include "([\w.]+)"', path.read_text(encoding="utf-8"))
        return {name for name in found if (KERNELS / name).exists()}

    # A file without a header of its own belongs to every header that it includes.
    parts_of = {
        path: included(path)
        for path in KERNELS.glob("*.cpp")
        if path.name != "bindings.cpp" and not path.with_suffix(".hpp").exists()
    }
    waiting = {name for path in FUZZED.iterdir() for name in included(path)}
    reached: set[str] = set()
    while waiting:
        header = KERNELS / waiting.pop()
        reached.add(header.name)
        parts = [path for path in (header, header.with_suffix(".cpp")) if path.exists()]
        parts += [path for path, names in parts_of.items() if header.name in names]
        waiting |= {name for path in parts for name in included(path)} - reached
    assert {path.name for path in KERNELS.glob("*.hpp")} == reached


def test_every_reader_is_named_by_a_target_or_read_through_one_that_is() -> None:
    named = "".join(path.read_text(encoding="utf-8") for path in FUZZED.parent.glob("*.py"))
    named = named.replace(Path(__file__).read_text(encoding="utf-8"), "")
    readers = {
        name
        for path in (ROOT / "src" / "kilter").rglob("*.py")
        if "cli" not in path.parts
        for name in re.findall(r"^def ((?:read|load)_\w+)\(", path.read_text("utf-8"), re.MULTILINE)
    }
    unnamed = {name for name in readers if not re.search(rf"\b{name}\b", named)}
    assert unnamed == {*REACHED}


def test_every_kernel_target_is_in_the_table() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in FUZZED.glob("*.cpp"))
    assert text.count("const Register ") == len(COMPILED)
    for name in COMPILED:
        assert f'("{name.removeprefix("kernel-")}", ' in text, name
