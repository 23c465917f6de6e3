# Two commands do everything on a fresh machine: `make demo` and `make test`.
# The others are parts of them. Each installs what it needs into .venv, once.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip --quiet --disable-pip-version-check
# Exactly what the lock file says, and nothing that is not in it. Modules are compiled when
# they are first imported, and kept: to compile all of them takes as long as to fetch them.
export PYTHONDONTWRITEBYTECODE :=
LOCKED := $(PIP) install --no-compile --no-deps --require-hashes --requirement
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-annotate --custom-compile-command 'make lock'
NPM := npm --prefix view --no-fund --no-audit --loglevel=error
# What the view is built from, and what comes out.
VIEW_SOURCES := $(shell find view/src view/licenses -type f) view/licenses.ts \
	view/vite.config.ts view/package.json \
	src/labelscape/plotting/palette.json
STATIC := src/labelscape/hosts/static

.DEFAULT_GOAL := help
.PHONY: help demo test test-fast lowest newest vitest setup lock view lint types bench league league-page paper speed papers \
	docs screenshots serve dist dist-check clean

help: ## Show this list
	@grep -hE '^[a-z -]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 15

demo: .venv/.installed view ## Map an embedded data set: table in the terminal, page in out/
	$(BIN)/labelscape map wine -o out/wine.html

# Each core has a test process of its own: more threads would stand in their way, and those
# that a test asks for sleep while they have nothing to do. It takes whole files, in their
# order: their servers and browsers start once, and no kernel is compiled by both.
test: .venv/.installed-dev .venv/.chromium view vitest ## Run all tests
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 OMP_WAIT_POLICY=PASSIVE \
	  $(BIN)/pytest --numprocesses auto --dist loadfile --no-loadscope-reorder

# For daily work: neither browser nor fuzzing, and only tests of a second or so.
test-fast: .venv/.installed-dev view ## Run the fast half of the tests
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 OMP_WAIT_POLICY=PASSIVE \
	  $(BIN)/pytest --numprocesses auto --dist loadfile --no-loadscope-reorder -m "not slow" \
	  tests --ignore tests/e2e --ignore tests/faults --ignore tests/hosts --ignore tests/cli

# With other versions of all that we use, in an environment of its own; PYTHON is the
# interpreter. Old versions may warn of each other, so there warnings are no errors.
lowest: RESOLUTION := --resolution lowest-direct
lowest: WARNINGS := -W ignore::DeprecationWarning -W ignore::FutureWarning
# Beside array-api-compat, older versions of scikit-learn can be tested only if told so.
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

setup: .venv/.installed-dev view ## Install all that developers need into .venv

lock: | .venv/bin/python ## Renew the lock files: newest versions, checksums
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

# Each method runs in an environment of its own, in .league.
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

papers: .venv/.installed-dev ## The papers' tables and figures beside ours; FRESH=1 repeats all, SEED=1 on other seeds
	FRESH=$(FRESH) SEED=$(SEED) $(BIN)/python -m benchmarks.papers
	SEED=$(SEED) $(BIN)/python scripts/papers_page.py

docs: .venv-docs/.installed view ## Build the user guide, the gallery and the API reference
	.venv-docs/bin/sphinx-build --fail-on-warning --quiet docs docs/_build
	@echo "Open docs/_build/index.html"

screenshots: .venv/.installed-dev .venv/.chromium view ## Photograph the view and the app for the guide
	$(BIN)/python scripts/screenshots.py
	$(BIN)/python scripts/app_screenshots.py

serve: .venv/.installed-dev view ## Start the local app
	$(BIN)/labelscape serve

dist: .venv/.installed-dev view ## Build the wheel, the source archive and the list of parts
	rm -rf dist
	$(BIN)/python scripts/sbom.py sbom/labelscape.cdx.json
	$(BIN)/python -m build --no-isolation
	cp sbom/labelscape.cdx.json dist
	@for name in view.js page.js app.js LICENSES.txt labelscape.cdx.json; do \
	  $(BIN)/python -m zipfile --list dist/labelscape-*.whl | grep "/$$name" > /dev/null \
	    || { echo "The wheel does not hold $$name." >&2; exit 1; }; \
	done

# Twice the same bytes, and both archives work where there is neither Node nor a checkout.
dist-check: dist ## Build twice, compare, and try both archives in an empty environment
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

# In two halves, every other package: pip works on one core, and make on as many as it may.
.venv/.locked-dev: .venv/.locked-dev-0 .venv/.locked-dev-1
	touch $@

.venv/.locked-dev-%: requirements/dev.lock | .venv/bin/python
	awk '/^[^ #]/ { n++ } n % 2 == $*' $< > .venv/half-$*.lock
	$(LOCKED) .venv/half-$*.lock
	touch $@

.venv/.installed-dev: pyproject.toml .venv/.locked-dev | view
	$(PIP) install --no-deps --no-build-isolation --editable .
	touch $@ .venv/.installed

# The last file that the build writes stands for all of them.
$(STATIC)/page.js: $(VIEW_SOURCES) view/node_modules/.package-lock.json
	$(NPM) run build
	touch $(STATIC)/view.js $(STATIC)/app.js $(STATIC)/LICENSES.txt $@

# npm writes this file when all packages are there.
view/node_modules/.package-lock.json: view/package.json view/package-lock.json
	@command -v npm >/dev/null || { echo "The view is built with Node 20 or newer:" \
	  "install it, so that npm is on the PATH." >&2; exit 1; }
	$(NPM) ci
	touch $@
