# Two commands do everything on a fresh machine: `make demo` and `make test`.
# The others are parts of them. Each installs what it needs into .venv, once.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip --quiet --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help demo test setup lint types bench docs serve dist clean

help: ## Show this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

demo: .venv/.installed ## Map an embedded data set: table in the terminal, picture in out/
	$(BIN)/labelscape map wine -o out/wine.png

test: .venv/.installed-dev .venv/.chromium ## Run all tests
	$(BIN)/pytest --numprocesses auto

setup: .venv/.installed-dev ## Install all that developers need into .venv

lint: .venv/.installed-dev ## Check style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/.installed-dev ## Check types
	$(BIN)/mypy

bench: .venv/.installed-dev ## List the side-by-side benchmarks; run one with NAME=...
	$(BIN)/python -m benchmarks $(NAME)

docs: .venv/.installed-docs ## Build the user guide, the gallery and the API reference
	$(BIN)/sphinx-build --fail-on-warning --quiet docs docs/_build
	@echo "Open docs/_build/index.html"

serve: ## Start the local app (not part of this version yet)
	@echo "The local app is not part of this version yet. 'make demo' shows a map." >&2
	@exit 2

dist: .venv/.installed-dev ## Build the wheel and the source archive
	$(PIP) install build
	$(BIN)/python -m build

clean: ## Remove the environment and everything built
	rm -rf .venv build dist out .mypy_cache .ruff_cache .hypothesis
	rm -rf docs/_build docs/auto_gallery docs/generated

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/.installed: pyproject.toml | .venv/bin/python
	$(PIP) install --editable '.[plot]'
	touch $@

.venv/.installed-docs: pyproject.toml | .venv/bin/python
	$(PIP) install --editable '.[docs]'
	touch $@ .venv/.installed

.venv/.chromium: | .venv/bin/python
	scripts/chromium > $@ || { rm -f $@; exit 1; }

.venv/.installed-dev: pyproject.toml | .venv/bin/python
	$(PIP) install --editable '.[dev]'
	touch $@ .venv/.installed
