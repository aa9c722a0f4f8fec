#!/usr/bin/env bash
# Builds the kernels with AddressSanitizer and UndefinedBehaviorSanitizer in an environment of their
# own (build/sanitize-address-venv) and runs the tests that reach them, and a short fuzz; or, with arguments,
# only the tests that they name. With --threads, builds them with ThreadSanitizer instead
# (build/sanitize-thread-venv) and runs what calls them from several threads.
set -euo pipefail
cd "$(dirname "$0")/.."

sanitizers=address,undefined
libraries=(asan ubsan)
if [[ "${1:-}" == --threads ]]; then
    shift
    sanitizers=thread
    libraries=(tsan)
fi

venv="build/sanitize-${sanitizers%,*}-venv"
python="$venv/bin/python"
if [[ ! -e "$venv/made" ]]; then
    .venv/bin/python -m venv "$venv"
    "$python" -m pip --disable-pip-version-check install --quiet --upgrade 'pip>=25.1'
    "$python" -m pip --disable-pip-version-check install --quiet --group build --group test
    touch "$venv/made"
fi

PATH="$PWD/$venv/bin:$PATH" "$python" -m pip --disable-pip-version-check install --quiet \
    --no-build-isolation --force-reinstall --no-deps \
    --config-settings="build-dir=build/sanitize-${sanitizers%,*}" \
    --config-settings="cmake.define.KILTER_SANITIZE=$sanitizers" .
"$python" -m pip --disable-pip-version-check install --quiet 'numpy>=1.26' 'click>=8.1' 'rich>=13' \
    'snowballstemmer>=3.1' 'pystemmer>=3.1' 'sacrebleu>=2.4'
"$python" -m pip --disable-pip-version-check install --quiet --no-build-isolation --no-deps ./models/en

compiler="${CXX:-g++}"
LD_PRELOAD=
for library in "${libraries[@]}"; do
    LD_PRELOAD+=" $("$compiler" -print-file-name="lib$library.so")"
done
LD_PRELOAD+=" $("$compiler" -print-file-name=libstdc++.so)" # so that exceptions can be intercepted
# Python keeps what it has until it ends: leaks are not ours to find. A size that is mistyped is to be
# refused before memory is asked for, which tests of the kernels see: a MemoryError is none of their errors.
export ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:allocator_may_return_null=1
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
# numpy and Python are not built for it, and are known by their locks alone.
export TSAN_OPTIONS=halt_on_error=1:ignore_noninstrumented_modules=1
export OPENBLAS_NUM_THREADS=1

# Reports of sanitizers go past Python to the terminal, so pytest keeps only what Python prints.
# ThreadSanitizer wants memory where it expects it: no random addresses.
run=(env LD_PRELOAD="$LD_PRELOAD" setarch "$(uname -m)" -R "$python" -m)
if (($#)); then
    exec "${run[@]}" pytest --quiet --capture=sys -p no:cacheprovider "$@"
fi
if [[ "$sanitizers" == thread ]]; then
    exec "${run[@]}" pytest --quiet --capture=sys -p no:cacheprovider tests/kernels/test_hostile_calls.py \
        tests/kernels/test_threads.py -k '(threads or meanwhile or signal or interrupted) and not memory and not forked'
fi
"${run[@]}" pytest --quiet --capture=sys -p no:cacheprovider \
    tests/kernels tests/io tests/core tests/aligners tests/parsers/encoder tests/parsers tests/run \
    tests/preordering \
    tools/fuzz tests/metrics/test_frs.py
"${run[@]}" tools.fuzz --seconds 10 laws web
