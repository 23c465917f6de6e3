# Two commands do everything on a fresh machine: `make demo` and `make test`.
# The others are parts of them. Each installs what it needs into .venv, once.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip --quiet --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help demo test setup lint types bench docs dist clean

help: ## Show this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

demo: .venv/.installed ## Map an embedded data set: table in the terminal, picture in out/
	$(BIN)/labelscape map wine -o out/wine.png

test: .venv/.installed-dev ## Run all tests
	$(BIN)/pytest -n auto --dist loadgroup

setup: .venv/.installed-dev ## Install all that developers need into .venv

lint: .venv/.installed-dev ## Check style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/.installed-dev ## Check types
	$(BIN)/mypy

bench: .venv/.installed-bench ## Run the side-by-side benchmarks (minutes)
	$(BIN)/python -m benchmarks

dist: .venv/.installed-dev ## Build the wheel and the source archive
	$(PIP) install build
	$(BIN)/python -m build

clean: ## Remove the environment and everything built
	rm -rf .venv build dist out docs/_build .mypy_cache .ruff_cache .hypothesis

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/.installed: pyproject.toml | .venv/bin/python
	$(PIP) install --editable '.[plot]'
	touch $@

.venv/.installed-dev: pyproject.toml | .venv/bin/python
	$(PIP) install --editable '.[dev]'
	touch $@ .venv/.installed
