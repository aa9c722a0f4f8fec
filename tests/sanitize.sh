#!/usr/bin/env bash
# Builds the kernels with AddressSanitizer and UndefinedBehaviorSanitizer in an environment of their
# own (build/sanitize-venv) and runs the tests that reach them, and a short fuzz; or, with arguments,
# only the tests that they name.
set -euo pipefail
cd "$(dirname "$0")/.."

venv=build/sanitize-venv
python="$venv/bin/python"
if [[ ! -e "$venv/made" ]]; then
    .venv/bin/python -m venv "$venv"
    "$python" -m pip --disable-pip-version-check install --quiet --upgrade 'pip>=25.1'
    "$python" -m pip --disable-pip-version-check install --quiet --group build --group test
    touch "$venv/made"
fi

PATH="$PWD/$venv/bin:$PATH" "$python" -m pip --disable-pip-version-check install --quiet \
    --no-build-isolation --force-reinstall --no-deps \
    --config-settings=build-dir=build/sanitize \
    --config-settings=cmake.define.KILTER_SANITIZE=ON .
"$python" -m pip --disable-pip-version-check install --quiet 'numpy>=1.26' 'click>=8.1' 'rich>=13' \
    'snowballstemmer>=2.2' 'sacrebleu>=2.4' 'onnxruntime>=1.17'
"$python" -m pip --disable-pip-version-check install --quiet --no-build-isolation --no-deps ./models/en

compiler="${CXX:-g++}"
LD_PRELOAD="$("$compiler" -print-file-name=libasan.so) $("$compiler" -print-file-name=libubsan.so)"
LD_PRELOAD+=" $("$compiler" -print-file-name=libstdc++.so)" # so that exceptions can be intercepted
export LD_PRELOAD
# Python keeps what it has until it ends: leaks are not ours to find.
export ASAN_OPTIONS=detect_leaks=0:abort_on_error=1
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1

if (($#)); then
    exec "$python" -m pytest --quiet -p no:cacheprovider "$@"
fi
"$python" -m pytest --quiet -p no:cacheprovider \
    tests/kernels tests/formats tests/structures tests/align tests/encoder tests/parse tests/pipeline tests/preorder \
    tests/fuzz tests/metrics/test_frs.py
SECONDS=10 "$python" -m tests.fuzz
