# Two commands do everything on a fresh machine: `make demo` and `make test`.
# The other targets are parts of these. Requirements are installed into .venv, once.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip --quiet --disable-pip-version-check
# Install only the versions in the lock file. Modules are compiled when they are imported
# for the first time, because compiling all modules takes as long as the download.
export PYTHONDONTWRITEBYTECODE :=
LOCKED := $(PIP) install --no-compile --no-deps --require-hashes --requirement
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-annotate --custom-compile-command 'make lock'
NPM := npm --prefix view --no-fund --no-audit --loglevel=error
# The sources of the view, and the folder of the built view.
VIEW_SOURCES := $(shell find view/src view/licenses -type f) view/licenses.ts \
	view/vite.config.ts view/package.json \
	src/labelscape/plotting/palette.json
STATIC := src/labelscape/hosts/static

.DEFAULT_GOAL := help
.PHONY: help demo test test-fast test-processors lowest newest vitest setup lock view lint types bench league league-page paper speed papers \
	docs screenshots serve dist dist-check clean

help: ## Show this list
	@grep -hE '^[a-z -]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 15

demo: .venv/.installed view ## Map an embedded data set: table in the terminal, HTML page in out/
	$(BIN)/labelscape map wine -o out/wine.html

# One test process runs on each core, with one thread, and waiting threads sleep. Each
# process runs whole files in their order, so that servers and browsers start only once
# and no kernel is compiled twice.
test: .venv/.installed-dev .venv/.chromium view vitest ## Run all tests
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 OMP_WAIT_POLICY=PASSIVE \
	  $(BIN)/pytest --numprocesses auto --dist loadfile --no-loadscope-reorder

# For daily work: tests of about a second, without browser tests and fuzzing.
test-fast: .venv/.installed-dev view ## Run the fast half of the tests
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 OMP_WAIT_POLICY=PASSIVE \
	  $(BIN)/pytest --numprocesses auto --dist loadfile --no-loadscope-reorder -m "not slow" \
	  tests --ignore tests/e2e --ignore tests/faults --ignore tests/hosts --ignore tests/cli

# BLAS, numba and NumPy choose their code by the processor. Each setting makes one of them
# choose as on another one.
test-processors: .venv/.installed-dev view ## Run numerical tests as on six processors, or with SETTING=Nehalem
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 OMP_WAIT_POLICY=PASSIVE \
	  $(BIN)/python scripts/processors.py $(SETTING)

# Tests with the lowest or newest versions of all dependencies, in a separate environment
# with the interpreter PYTHON. Deprecation warnings of old versions are no errors.
lowest: RESOLUTION := --resolution lowest-direct
lowest: WARNINGS := -W ignore::DeprecationWarning -W ignore::FutureWarning
# Older versions of scikit-learn need this variable for tests with array-api-compat.
lowest: export SCIPY_ARRAY_API := 1
newest: RESOLUTION := --prerelease allow
lowest newest: .venv/.chromium view ## Run all tests with the lowest, or the newest versions
	$(PYTHON) -m venv --clear .venv-$@
	.venv-$@/bin/pip install --quiet --disable-pip-version-check uv
	.venv-$@/bin/uv pip compile --quiet $(RESOLUTION) --extra dev \
	  --python .venv-$@/bin/python --output-file .venv-$@/versions.txt pyproject.toml
	.venv-$@/bin/pip install --quiet --disable-pip-version-check --no-deps \
	  --requirement .venv-$@/versions.txt
	.venv-$@/bin/pip install --quiet --no-deps --no-build-isolation --editable .
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 OMP_WAIT_POLICY=PASSIVE \
	  .venv-$@/bin/pytest --numprocesses auto --dist loadfile $(WARNINGS)

vitest: view/node_modules/.package-lock.json
	$(NPM) test

setup: .venv/.installed-dev view ## Install all development requirements into .venv

lock: | .venv/bin/python ## Update the lock files: newest versions, checksums
	$(PIP) install uv
	$(LOCK) --upgrade --extra dev --output-file requirements/dev.lock pyproject.toml
	$(LOCK) --upgrade --extra docs --output-file requirements/docs.lock pyproject.toml
	npm --prefix view update --package-lock-only

view: $(STATIC)/page.js ## Build the view into the package

lint: .venv/.installed-dev view/node_modules/.package-lock.json ## Check style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(NPM) run check

types: .venv/.installed-dev ## Check types
	$(BIN)/mypy

bench: .venv/.installed-dev ## List the side-by-side benchmarks; run one with NAME=...
	$(BIN)/python -m benchmarks $(NAME)

# Each method runs in a separate environment in .league.
league: .venv/.installed-dev ## Run methods of the league: METHOD=lfda,nca SETS=iris SEEDS=2 ROWS=300
	$(BIN)/python -m benchmarks league $(if $(METHOD),--methods '$(METHOD)') \
	  $(if $(SETS),--sets '$(SETS)') $(if $(SEEDS),--seeds $(SEEDS)) $(if $(ROWS),--rows $(ROWS))

league-page: .venv/.installed-dev ## Write the league's results into docs/league.md
	$(BIN)/python -m benchmarks league --page

paper: .venv-docs/.installed ## Draw the figure of paper/paper.md
	.venv-docs/bin/python -m benchmarks pictures --only coins

speed: .venv/.installed-dev ## Time ten jobs of this commit with asv
	$(PIP) install 'asv>=0.6.4'
	$(BIN)/asv run --python=same --quick --show-stderr

papers: .venv/.installed-dev ## Reproduce tables and figures of the papers; FRESH=1 repeats all, SEED=1 uses other seeds
	FRESH=$(FRESH) SEED=$(SEED) $(if $(PROCESSOR),$(BIN)/python scripts/processors.py $(PROCESSOR) --) \
	  $(BIN)/python -m benchmarks.papers
	SEED=$(SEED) PROCESSOR=$(PROCESSOR) $(BIN)/python scripts/papers_page.py

docs: .venv-docs/.installed view ## Build the user guide, the gallery and the API reference
	.venv-docs/bin/sphinx-build --fail-on-warning --quiet docs docs/_build
	@echo "Open docs/_build/index.html"

screenshots: .venv/.installed-dev .venv/.chromium view ## Take screenshots of the view and the app for the guide
	$(BIN)/python scripts/screenshots.py
	$(BIN)/python scripts/app_screenshots.py

serve: .venv/.installed-dev view ## Start the local app
	$(BIN)/labelscape serve

dist: .venv/.installed-dev view ## Build the wheel, the source archive and the bill of materials
	rm -rf dist
	$(BIN)/python scripts/sbom.py sbom/labelscape.cdx.json
	$(BIN)/python -m build --no-isolation
	cp sbom/labelscape.cdx.json dist
	@for name in view.js page.js app.js LICENSES.txt labelscape.cdx.json; do \
	  $(BIN)/python -m zipfile --list dist/labelscape-*.whl | grep "/$$name" > /dev/null \
	    || { echo "The wheel does not contain $$name." >&2; exit 1; }; \
	done

# Both builds must have the same bytes, and both archives must work without Node.
dist-check: dist ## Build twice, compare, and test both archives in empty environments
	rm -rf .dist-first && mv dist .dist-first
	$(MAKE) dist
	diff --recursive .dist-first dist && rm -rf .dist-first
	scripts/try_dist dist/labelscape-*.whl
	scripts/try_dist dist/labelscape-*.tar.gz

clean: ## Remove the environment and everything built
	rm -rf .league .asv .venv .venv-docs .venv-lowest .venv-newest build dist out sbom .mypy_cache .ruff_cache .hypothesis
	rm -rf docs/_build docs/auto_gallery docs/auto_tutorials docs/generated docs/_static/live
	rm -rf view/node_modules $(STATIC)

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/.installed: pyproject.toml | .venv/bin/python view
	$(PIP) install --editable '.[plot,explore]'
	touch $@

.venv-docs/.installed: requirements/docs.lock pyproject.toml | view
	$(PYTHON) -m venv .venv-docs
	.venv-docs/bin/pip install --quiet --disable-pip-version-check --no-deps \
	  --require-hashes --requirement requirements/docs.lock
	.venv-docs/bin/pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $@

.venv/.chromium: | .venv/bin/python
	scripts/chromium > /dev/null
	touch $@

# Packages are installed in two halves, because pip uses one core and make several.
.venv/.locked-dev: .venv/.locked-dev-0 .venv/.locked-dev-1
	touch $@

.venv/.locked-dev-%: requirements/dev.lock | .venv/bin/python
	awk '/^[^ #]/ { n++ } n % 2 == $*' $< > .venv/half-$*.lock
	$(LOCKED) .venv/half-$*.lock
	touch $@

.venv/.installed-dev: pyproject.toml .venv/.locked-dev | view
	$(PIP) install --no-deps --no-build-isolation --editable .
	touch $@ .venv/.installed

# This is the last file that the build writes, so the rule applies to all of its files.
$(STATIC)/page.js: $(VIEW_SOURCES) view/node_modules/.package-lock.json
	$(NPM) run build
	touch $(STATIC)/view.js $(STATIC)/app.js $(STATIC)/LICENSES.txt $@

# npm writes this file when all packages are installed.
view/node_modules/.package-lock.json: view/package.json view/package-lock.json
	@command -v npm >/dev/null || { echo "Node 20 or newer is needed to build the" \
	  "view. Install it, so that npm is on the PATH." >&2; exit 1; }
	$(NPM) ci
	touch $@
