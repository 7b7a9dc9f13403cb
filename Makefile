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

test: $(VENV)/.dev
	$(BIN)/python -m pytest -m "not full"

test-full: $(VENV)/.dev
	$(BIN)/python -m pytest

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) demo build dist .pytest_cache .mypy_cache .ruff_cache

.PHONY: experiments-roles
experiments-roles: $(VENV)/.dev  ## compute what is missing in experiments/results, draw, and render experiments/REPORT.md
	$(BIN)/python -W ignore -m experiments all

.PHONY: experiments-classification
experiments-classification: $(VENV)/.dev  ## train what is missing in build/classification, and render experiments/classification/REPORT.md
	$(BIN)/python -m experiments.classification.features
	$(BIN)/python -m experiments.classification.train
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

.PHONY: docs
docs: $(VENV)/.docs  ## the site, into site/; warnings are errors
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
