# Every target makes and uses its own environment; nothing has to be installed before.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
TORCH := torch==2.13.0

.PHONY: help demo test test-full lint bench clean

help:
	@echo "make demo       roles of the barbell graph, with a picture"
	@echo "make test       the tests (what CI runs)"
	@echo "make test-full  the tests with their long forms"
	@echo "make lint       ruff, mypy, import layers"
	@echo "make bench      measure speed and memory against named peers"

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"

# What the demo needs.
$(VENV)/.demo: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --editable ".[plot]"
	@touch $@

# What tests, lint and benchmarks need. PyTorch first and pinned: any looser request pulls gigabytes.
$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) $(TORCH)
	$(PIP) --editable ".[parquet,graphs,plot,pyg,ray,explore]" --group dev
	@touch $@ $(VENV)/.demo

demo: $(VENV)/.demo
	$(BIN)/vnestruct demo

# Two files of tests at a time. Timings inside are generous enough for that.
PYTEST := $(BIN)/python -m pytest --numprocesses 2 --dist loadfile

test: $(VENV)/.dev $(VENV)/.browser
	$(PYTEST) -m "not full"

test-full: $(VENV)/.dev $(VENV)/.browser
	$(PYTEST)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) $(OLDEST) demo build dist .pytest_cache .mypy_cache .ruff_cache

.PHONY: experiments-roles
experiments-roles: $(VENV)/.dev  ## compute what is missing in experiments/results, draw, and render experiments/REPORT.md
	$(BIN)/python -W ignore -m experiments all

.PHONY: experiments-classification
experiments-classification: $(VENV)/.dev  ## train what is missing in build/classification, and render experiments/classification/REPORT.md
	$(BIN)/python -m experiments.classification.features
	$(BIN)/python -m experiments.classification.train
	for draw in fresh development; do \
	  $(BIN)/python -m experiments.classification.train --groups grid --draw $$draw --out build/classification/$$draw; \
	done
	$(BIN)/python -m experiments.classification.averaged
	$(BIN)/python -m experiments.classification.signatures
	$(BIN)/python -m experiments.classification.summary
	$(BIN)/python -m experiments.classification.report

# What tests in a browser need. Playwright drives the Chromium of the system's packages; its own download is not used.
$(VENV)/.browser: pyproject.toml constraints.txt | $(VENV)/.dev
	$(PIP) --editable ".[explore]" --group browser
	@command -v chromium >/dev/null || { apt-get update -qq && apt-get install -y -qq chromium fonts-noto-color-emoji; } \
		|| echo "Chromium could not be installed; tests in a browser will be skipped"
	@touch $@

.PHONY: test-browser
test-browser: $(VENV)/.browser  ## explore pages in Chromium, with the network cut
	$(BIN)/python -m pytest tests/explore tests/browser

$(VENV)/.docs: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --editable "." --group docs
	@touch $@

# The oldest versions that pyproject.toml allows, in an environment of their own. Warnings of that age are not ours.
OLDEST := .venv-oldest
$(OLDEST)/.ready: pyproject.toml constraints-oldest.txt
	$(PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints-oldest.txt \
		--editable ".[parquet,graphs,plot,explore]" --group oldest
	@touch $@

.PHONY: test-oldest
test-oldest: $(OLDEST)/.ready  ## the core of the tests with the oldest versions of what it needs
	XDG_CACHE_HOME=$(CURDIR)/$(OLDEST)/cache $(OLDEST)/bin/python -m pytest -m "not full" -o filterwarnings=ignore \
		-p no:cacheprovider $(OLDEST_TESTS)

# Left out: what other programs read, how lazily Typer imports Rich, and what newer data frames are called.
OLDEST_TESTS := tests/graph tests/kernels tests/io tests/store tests/embedding tests/roles tests/test_graph_entropy.py \
	tests/cli/test_commands.py tests/cli/test_help.py tests/explore/test_page.py --ignore tests/io/test_other_programs.py \
	--deselect tests/cli/test_help.py::test_help_imports_nothing_heavy \
	--deselect tests/graph/test_frames.py::test_what_is_no_frame

.PHONY: docs
docs: $(VENV)/.docs  ## the site, into site/; warnings are errors, and so is anything from another host
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	$(BIN)/python docs/check_site.py site

# CUDA=13 for drivers of CUDA 13. The tests skip themselves, with a reason, where there is no GPU.
CUDA ?= 12
.PHONY: test-cuda
test-cuda: $(VENV)/.dev  ## the GPU engine on the GPU of this machine
	$(PIP) --editable ".[cuda$(filter 13,$(CUDA))]"
	$(BIN)/python -m pytest tests/cuda -rs
