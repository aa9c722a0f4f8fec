# `make demo`, `make test` and `make test-all` do everything from a bare clone: environment, build, install, run.
SHELL := /bin/bash
.DELETE_ON_ERROR:
.PHONY: demo test test-all test-ray check lint types stub layers bench bench-all bench-kernels docs site screens sanitize sanitize-threads portable fuzz soak audit mutate \
	test-release wheel system-tools clean

# The first Python that is new enough; override with `make PYTHON=/path/to/python`.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	command -v $$p >/dev/null && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# Files stay together on one worker, which makes what their tests share only once. Compiled tests are kept even
# where the environment forbids it: else every worker compiles them all, in every run.
# Every worker has one core: more threads of linear algebra would only wait for one another.
PYTEST := env -u PYTHONDONTWRITEBYTECODE OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --dist loadfile
SOURCES := pyproject.toml CMakeLists.txt README.md LICENSE $(wildcard licenses/*) $(wildcard kernels/*.?pp kernels/bindings/*) \
	$(shell find src/kilter -type f -not -path '*/__pycache__/*')

demo: $(VENV)/installed
	$(BIN)/kilter demo

test: $(VENV)/installed $(VENV)/test-tools $(VENV)/lint-tools system-tools
	$(PYTEST)

# All tests with all examples, seeds, variants and pages: what CI runs.
test-all: $(VENV)/installed $(VENV)/test-tools $(VENV)/lint-tools system-tools
	$(PYTEST) --thorough

# The tests that need Ray, which `make test-all` skips where it is not installed: 590 MB and a minute.
test-ray: $(VENV)/installed $(VENV)/test-tools $(VENV)/ray-tools
	$(BIN)/python -m pytest --thorough tests/run/engine/test_ray.py

check: lint types layers portable test-release test-all

lint: $(VENV)/lint-tools
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/installed $(VENV)/lint-tools $(VENV)/test-tools
	$(BIN)/mypy

# The stub of the compiled core, as nanobind describes it; a test checks that it is current.
stub: $(VENV)/installed $(VENV)/build-tools $(VENV)/lint-tools
	$(BIN)/python -m tests.kernels.stub src/kilter/_core

layers: $(VENV)/installed $(VENV)/lint-tools
	$(BIN)/lint-imports

# Kilter beside every peer, as a page with plots: build/benchmarks.md, or PAGE; `make bench BENCH=--help` lists options.
# Peers under licences that are not ours (edist, eflomal) have an environment of their own.
PAGE ?= build/benchmarks.md
bench: $(VENV)/installed $(VENV)/bench-tools .venv-peers/installed .venv-separate/installed
	@command -v java >/dev/null || [ "$$(id -u)" -ne 0 ] || { apt-get update -q && apt-get install -y -q \
		--no-install-recommends default-jre-headless; } >/dev/null 2>&1 || echo "no Java: METEOR 1.5 is left out" >&2
	mkdir -p $(dir $(PAGE))
	$(BIN)/python -m benchmarks.comparison -o $(PAGE) $(BENCH)

# Every single benchmark, printed: longer, and on real data where it lies beside the repository.
bench-all: $(VENV)/installed $(VENV)/bench-tools $(VENV)/test-tools system-tools .venv-separate/installed
	$(BIN)/python -m benchmarks

# Nanoseconds of each kernel per unit, on made-up input; KERNEL=score runs those whose names begin so.
bench-kernels: $(VENV)/build-tools
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/cmake -S . -B build/speed -G Ninja -DCMAKE_BUILD_TYPE=Release -DPython_EXECUTABLE="$(CURDIR)/$(BIN)/python" >/dev/null
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/cmake --build build/speed --target kernel_speed
	build/speed/kernel_speed $(KERNEL)

.venv-peers/installed: pyproject.toml $(VENV)/created
	$(PYTHON) -m venv .venv-peers
	.venv-peers/bin/python -m pip --disable-pip-version-check install --quiet --upgrade "pip>=25.1"
	.venv-peers/bin/python -m pip --disable-pip-version-check install --quiet --group peers
	touch $@

.venv-separate/installed: pyproject.toml $(VENV)/created
	$(PYTHON) -m venv .venv-separate
	.venv-separate/bin/python -m pip --disable-pip-version-check install --quiet --upgrade "pip>=25.1"
	.venv-separate/bin/python -m pip --disable-pip-version-check install --quiet --group separate || \
		echo "edist and eflomal could not be installed (they need a compiler): they are left out" >&2
	touch $@

docs: $(VENV)/installed $(VENV)/test-tools
	$(BIN)/python -m tests.docs.refresh

# The documentation as a site in build/site, to be read without a server; a link that leads nowhere is an error.
site: $(VENV)/installed $(VENV)/test-tools $(VENV)/docs-tools
	$(BIN)/python -m tests.docs.site build/site

# Pictures of the pages of survey and annotation for docs/survey and docs/annotation.
screens: $(VENV)/installed $(VENV)/test-tools system-tools
	$(BIN)/python -m tests.study.screens
	$(BIN)/python -m tests.study.annotation.screens

# Chromium, PostgreSQL, nginx and fonts for the tests of the survey, which are skipped with a reason where they are missing.
system-tools:
	@bash tests/system-tools.sh

# The kernels' tests with AddressSanitizer and UndefinedBehaviorSanitizer, in an environment of their own.
sanitize: $(VENV)/created
	bash tests/sanitize.sh

# Calls from several threads at once with ThreadSanitizer.
sanitize-threads: $(VENV)/created
	bash tests/sanitize.sh --threads

# The kernels with g++, clang and for another processor: no warning, and the same bits.
portable:
	bash tests/portable.sh

# The wheel alone, where there is no compiler: every command works, or says which extra it wants.
test-release: dist/built
	$(BIN)/python -m tests.release dist/*.whl

# Coverage-guided fuzzing of readers, bindings and kernels: TARGET or all of them, SECONDS each, JOBS of
# them side by side, TIMEOUT seconds for one input; LIST=1 names them.
fuzz: $(VENV)/installed $(VENV)/test-tools
	$(if $(LIST),,bash tools/fuzz/build.sh $(TARGET))
	$(BIN)/python -m tools.fuzz --seconds $(or $(SECONDS),600) --jobs $(or $(JOBS),1) $(if $(TIMEOUT),--timeout $(TIMEOUT)) $(if $(LIST),--list) $(TARGET)

# Mixed commands in a loop beside running servers, for MINUTES (60): the same bytes, nothing left, no growth.
soak: $(VENV)/installed $(VENV)/test-tools
	$(BIN)/python -m tools.soak --minutes $(or $(MINUTES),60)

# Licences of everything that is shipped or needed, and a bill of materials in build/sbom.cdx.json.
audit: $(VENV)/installed $(VENV)/test-tools
	$(BIN)/python -m tools.audit

# Small changes to the code that some test must notice: to files that differ from BASE, to FILES, or, with
# SAMPLE, to a sample of that size over all packages, drawn with SEED; LIGHT=1 records no tests before.
BASE ?= $(shell git rev-parse --quiet --verify origin/main >/dev/null && echo origin/main || echo HEAD~1)
mutate: $(VENV)/installed $(VENV)/test-tools $(VENV)/mutate-tools system-tools
	$(BIN)/python -m tools.mutation $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(SEED),--seed $(SEED)) \
		$(if $(FILES),$(FILES),$(if $(SAMPLE),,--base $(BASE))) $(if $(SURVIVORS),--survivors) $(if $(RECORD),--record) $(if $(LIGHT),--light)

wheel: dist/built

clean:
	rm -rf build dist $(VENV) .venv-peers .venv-separate .venv-fuzz

$(VENV)/created:
	@test -n "$(PYTHON)" || { echo "Kilter needs Python 3.11 or later; none was found" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --quiet --upgrade "pip>=25.1"
	touch $@

$(VENV)/build-tools: $(VENV)/created pyproject.toml
	$(PIP) install --quiet --group build
	touch $@

# What is installed and tested is the wheel that users get, built from the files of the source distribution alone.
dist/built: $(VENV)/build-tools $(SOURCES)
	rm -rf dist && mkdir dist
	$(BIN)/python -m tests.release.source_tree dist build/source
	PATH="$(CURDIR)/$(BIN):$$PATH" KILTER_REVISION="$$(git describe --always --dirty 2>/dev/null)" \
		$(PIP) wheel --quiet --no-index --no-build-isolation --no-deps --wheel-dir dist ./build/source
	touch $@

# The model is a distribution of its own, with its own version; it is not built again with the sources.
# A source distribution does not hold it; then it comes from where packages come from.
MODEL := $(if $(wildcard models/en/kilter_model_en),--no-build-isolation --force-reinstall ./models/en,"kilter-model-en>=1.0,<2")
$(VENV)/model: $(VENV)/build-tools models/en/pyproject.toml $(wildcard models/en/kilter_model_en/*)
	$(PIP) install --quiet --no-deps $(MODEL)
	touch $@

$(VENV)/installed: dist/built $(VENV)/model
	$(PIP) install --quiet "$$(echo dist/*.whl)[parse]"
	$(PIP) install --quiet --force-reinstall --no-deps dist/*.whl
	touch $@

$(VENV)/test-tools: $(VENV)/created pyproject.toml
	$(PIP) install --quiet --group test
	touch $@

$(VENV)/lint-tools: $(VENV)/created pyproject.toml
	$(PIP) install --quiet --group lint
	touch $@

$(VENV)/bench-tools: $(VENV)/created pyproject.toml
	$(PIP) install --quiet --group bench
	touch $@

$(VENV)/ray-tools: $(VENV)/created pyproject.toml
	$(PIP) install --quiet --group ray
	touch $@

$(VENV)/docs-tools: $(VENV)/created pyproject.toml
	$(PIP) install --quiet --group docs
	touch $@

$(VENV)/mutate-tools: $(VENV)/created pyproject.toml
	$(PIP) install --quiet --group mutate
	touch $@
