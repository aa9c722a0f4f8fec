"""Scores that are promised to have the same bits everywhere do not look at the C library's functions."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kilter.metrics.registry import metric_names

ROOT = Path(__file__).parents[1]

# A library as it might be elsewhere: every function that IEEE 754 does not fix is off by one bit.
OFF = """
#include <dlfcn.h>
#include <cmath>
static double off(double value) {
    return value == 0 || value == 1 || !std::isfinite(value) ? value : std::nextafter(value, 2 * value);
}
#define ONE(name) extern "C" double name(double x) { \\
    static auto real = reinterpret_cast<double (*)(double)>(dlsym(RTLD_NEXT, #name)); return off(real(x)); }
ONE(exp) ONE(exp2) ONE(expm1) ONE(log) ONE(log2) ONE(log10) ONE(log1p) ONE(cbrt)
ONE(sin) ONE(cos) ONE(tan) ONE(tanh) ONE(lgamma) ONE(tgamma) ONE(erf)
extern "C" double pow(double x, double y) {
    static auto real = reinterpret_cast<double (*)(double, double)>(dlsym(RTLD_NEXT, "pow"));
    return y == 1 || y == 2 ? real(x, y) : off(real(x, y));
}
"""

SCORES = """
import json
import kilter
from kilter.metrics.registry import metric_names
from kilter.run.permutation import permutation_scores
from kilter.run.scoring.links import Links
from kilter.core.links import LinkBatch
from tests.public_calls import lines

reference = lines("reference")
systems = {name: [line.rsplit(" ", 2)[0] for line in lines(name)] for name in ("local", "verb")}
drawn = LinkBatch.of([[(0, 1), (1, 0), (2, 2), (3, 4)]] * len(reference))
links = Links(source_hypothesis=(drawn, drawn), source_reference=(drawn,))
found = {
    name: [
        [float(score).hex() for score in scores]
        for scores in kilter.score(
            systems, reference, source=reference, links=links, metrics=[name], tokenize="none"
        ).segment_arrays.values()
    ]
    for name in metric_names()
}
rows = permutation_scores([[1, 0, 3, 2, 4], [2, 0, 3, 1], [4, 3, 2, 1, 0, 6, 5]])
found["permutation"] = [[str(score) for score in rows[name].tolist()] for name in rows]
print(json.dumps(found))
"""


def _scores(**environment: str) -> dict[str, list[list[str]]]:
    # Without these, numpy leaves its functions to the C library.
    plain = {"NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR AVX2 FMA3 AVX512F"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCORES],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **plain, **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, list[list[str]]] = json.loads(done.stdout)
    return found


def _promised() -> set[str]:
    """Return the metrics that docs/kernels.md promises the same bits of on every machine."""
    text = (ROOT / "docs" / "kernels.md").read_text(encoding="utf-8").partition("## Determinism")[2]
    (line,) = re.findall(r"^\| the same bits on every machine \| (.*) \|$", text, re.MULTILINE)
    return set(re.findall(r"`([\w-]+)`", line))


def _others() -> set[str]:
    text = (ROOT / "docs" / "kernels.md").read_text(encoding="utf-8").partition("## Determinism")[2]
    rows = re.findall(r"^\| through (?:exp|log|powers).*? \| (.*) \|$", text, re.MULTILINE)
    return set(re.findall(r"`([\w-]+)`", " ".join(rows)))


def test_every_metric_has_a_promise() -> None:
    assert not _promised() & _others()
    assert _promised() | _others() == {*metric_names()}


@pytest.mark.skipif(sys.platform != "linux", reason="libraries are exchanged by LD_PRELOAD")
def test_promised_bits_do_not_depend_on_the_library(tmp_path: Path) -> None:
    compiler = shutil.which("c++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    source, library = tmp_path / "off.cpp", tmp_path / "off.so"
    source.write_text(OFF, encoding="utf-8")
    flags = ["-fno-builtin", "-shared", "-fPIC"]
    subprocess.run([compiler, *flags, source, "-o", library, "-ldl"], check=True)
    here, elsewhere = _scores(), _scores(LD_PRELOAD=str(library))
    changed = {name for name in here if here[name] != elsewhere[name]}
    assert {"bleu", "nist", "pef", "meteor"} <= changed  # the library is off
    assert "permutation" not in changed
    assert not changed & _promised()
