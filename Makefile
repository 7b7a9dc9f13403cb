# Every target creates and uses its own environment; nothing has to be installed first.
# One environment per version of Python: `.venv` for the default, `.venv-3.13` for `make test PYTHON=python3.13`.
PYTHON ?= python3
ifeq ($(PYTHON),python3)
VENV := .venv
else
VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')
$(if $(VERSION),,$(error PYTHON=$(PYTHON) does not run; name an interpreter on your PATH or give its full path))
VENV := .venv-$(VERSION)
endif
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
TORCH := torch==2.13.0

.PHONY: help demo test test-full lint bench release clean

help:
	@echo "make demo       find and draw the roles of the families of Florence"
	@echo "make test       lint, then the tests (what CI runs)"
	@echo "make test-full  lint, then the tests with their long forms"
	@echo "make test-faults  make each file operation of each command fail once (minutes)"
	@echo "make coverage   how many lines and branches of src the tests reach"
	@echo "make soak       check random graphs for an hour"
	@echo "make lint       ruff, mypy, import layers"
	@echo "make bench      measure speed and memory against other libraries"
	@echo "make docs       build the documentation into site/"
	@echo "make release    build the source archive and the wheel into dist/ and check them"
	@echo "Add PYTHON=python3.13 to use another Python, in an environment of its own (.venv-3.13)."

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"

# For the demo.
$(VENV)/.demo: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --editable ".[plot]"
	@touch $@

# For tests, lint and benchmarks. PyTorch comes first and pinned: a looser requirement downloads gigabytes.
$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) $(TORCH)
	$(PIP) --editable ".[graphs,plot,pyg,ray,explore]" --group dev
	@touch $@ $(VENV)/.demo

demo: $(VENV)/.demo
	$(BIN)/vnestruct demo

# Three processes for two cores: tests of browsers and clusters mostly wait. Files start in the order of collection, the
# long ones first (tests/conftest.py). BLAS and OpenMP get one thread: with more, the processes wait for each other (six
# times the processor time in tests of eigenvalues). Python keeps its bytecode even where the environment says otherwise:
# rewriting all assertions takes 7 s per process.
PYTEST := PYTHONDONTWRITEBYTECODE= OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 \
	$(BIN)/python -m pytest --numprocesses 3 --dist loadfile --no-loadscope-reorder

# Lint comes first: it takes seconds and stops the run at the first finding.
test: lint $(VENV)/.browser
	$(PYTEST) -m "not full"

test-full: lint $(VENV)/.browser
	$(PYTEST)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Ray, browsers, benchmarks and file faults run the package in processes of their own, which are not counted. The kernels'
# own tests run again as plain Python, since lines of compiled code are not seen.
.PHONY: coverage
COVERAGE := $(PYTEST) -p no:cacheprovider -m "not full" --cov --cov-report=
coverage: $(VENV)/.coverage  ## print how many lines and branches of src the tests reach
	-COVERAGE_FILE=.coverage.all $(COVERAGE) $(addprefix --ignore tests/,browser soak faults experiments benchmarks \
		execute/test_ray.py embedding/test_ray_signatures.py contracts/test_wheel.py documents/test_site.py)
	-COVERAGE_FILE=.coverage.kernels NUMBA_DISABLE_JIT=1 $(COVERAGE) -p tests.kernels.plain_python \
		-W ignore::RuntimeWarning --timeout 900 --timeout-method signal tests/kernels --ignore tests/kernels/test_cache.py
	$(BIN)/python -m coverage combine
	$(BIN)/python -m coverage json -q -o .coverage.json
	$(BIN)/python -c 'import json; total = json.load(open(".coverage.json"))["totals"]; \
		print("lines {covered_lines} of {num_statements}, branches {covered_branches} of {num_branches}".format(**total))'

$(VENV)/.coverage: pyproject.toml constraints.txt | $(VENV)/.dev
	$(PIP) --group coverage
	@touch $@

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

.PHONY: test-faults
test-faults: $(VENV)/.dev  ## fail each file operation of each command once, and print a table of what was survived
	$(BIN)/python -m pytest -s tests/faults

.PHONY: soak
soak: $(VENV)/.dev  ## random graphs against the oracle for an hour; SOAK="--seconds 60 --seed 1" for other limits
	$(BIN)/python -m tests.soak $(SOAK)

clean:
	rm -rf .venv .venv-* demo build dist site .pytest_cache .mypy_cache .ruff_cache .import_linter_cache

# Builds and checks; nothing is uploaded.
$(VENV)/.release: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --group release
	@touch $@

release: $(VENV)/.release
	rm -rf dist
	$(BIN)/python -m build --no-isolation --outdir dist .
	$(BIN)/python -m twine check --strict dist/*

.PHONY: experiments-roles
experiments-roles: $(VENV)/.dev  ## compute the missing results, draw the figures and render experiments/REPORT.md
	$(BIN)/python -W ignore -m experiments all

.PHONY: experiments-classification
experiments-classification: $(VENV)/.dev  ## train the missing models and render experiments/classification/REPORT.md
	for what in networks "networks --draw fresh" averaged signatures; do \
	  $(BIN)/python -m experiments.classification.measure $$what; \
	done
	$(BIN)/python -m experiments.classification.report

# For tests in a browser. Playwright drives the system's Chromium package, not a download of its own.
$(VENV)/.browser: pyproject.toml constraints.txt | $(VENV)/.dev
	$(PIP) --editable ".[explore]" --group browser
	@command -v chromium >/dev/null || { apt-get update -qq && apt-get install -y -qq chromium fonts-noto-color-emoji; } \
		|| echo "Chromium could not be installed; the browser tests will be skipped"
	@touch $@

.PHONY: test-browser
test-browser: $(VENV)/.browser  ## explore pages in Chromium, without a network
	$(BIN)/python -m pytest tests/explore tests/browser

$(VENV)/.docs: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --editable "." --group docs
	@touch $@

# The oldest versions that pyproject.toml allows, in an environment of their own. Their warnings are ignored.
OLDEST := .venv-oldest
$(OLDEST)/.ready: pyproject.toml constraints-oldest.txt
	$(PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints-oldest.txt \
		--editable ".[graphs,plot,explore]" --group oldest
	@touch $@

.PHONY: test-oldest
test-oldest: $(OLDEST)/.ready  ## the core tests with the oldest supported dependencies
	XDG_CACHE_HOME=$(CURDIR)/$(OLDEST)/cache $(OLDEST)/bin/python -m pytest -m "not full" -o filterwarnings=ignore \
		-p no:cacheprovider $(OLDEST_TESTS)

# Left out: files read by other programs, lazy imports of Rich by Typer, and class names of newer data frames.
OLDEST_TESTS := tests/graph tests/kernels tests/io tests/store tests/embedding tests/roles tests/test_graph_entropy.py \
	tests/cli/test_commands.py tests/cli/test_help.py tests/explore/test_page.py --ignore tests/io/test_other_programs.py \
	--deselect tests/cli/test_help.py::test_help_imports_nothing_heavy \
	--deselect tests/graph/test_frames.py::test_objects_that_are_not_frames

.PHONY: docs
docs: $(VENV)/.docs  ## the documentation in site/; warnings and anything loaded from another host are errors
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	$(BIN)/python docs/check_site.py site

# CUDA=13 for CUDA 13 drivers. Without a GPU the tests are skipped, with a reason.
CUDA ?= 12
.PHONY: test-cuda
test-cuda: $(VENV)/.dev  ## the GPU engine on this machine's GPU
	$(PIP) --editable ".[cuda$(filter 13,$(CUDA))]"
	$(BIN)/python -m pytest tests/cuda -rs
