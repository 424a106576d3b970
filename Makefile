# On a fresh machine with Python ≥ 3.11 and make, every target sets up what it needs.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORE := $(VENV)/.core
DEV := $(VENV)/.dev
BENCH := $(VENV)/.bench
BROWSER := $(VENV)/.browser
# Tests on Spark: make test-spark CORNERS=1 (all cases), SPARK_VERSION=3.5.9 (another version, in an environment of its own)
SPARK_VERSION ?=
SPARK_VENV := $(if $(SPARK_VERSION),.venv-spark-$(SPARK_VERSION),$(VENV))
SPARK := $(SPARK_VENV)/.spark
JAVA := $(if $(JAVA_HOME),$(JAVA_HOME)/bin/java,java)
LEAST_JAVA := 17
LOWEST := .venv-lowest
LOWEST_PYTHON ?= python3.11
# Whatever the environment says, bytecode is kept: else each process rewrites the assertions of all tests anew.
unexport PYTHONDONTWRITEBYTECODE
SEED := $(or $(SEED),$(shell od -An -N4 -tu4 /dev/urandom | tr -d ' '))

# Options: make fuzz SEED=7, make mutants MUTANTS=400, make shape TREE=../other, make speed-check REV=main ONLY=search, make reproduce PAGES=icsm,
# make check-figures SAMPLE=20 SEED=7, make scale FOLDER=/tmp ONLY=hard-quick, make lowest TESTS=tests/plots
MUTANTS ?= 0
TREE ?= .
REV ?= HEAD
ONLY ?=
MINUTES ?=
PAGES ?=
SAMPLE ?= 5
FOLDER ?=
RECORDS ?=
PEERS ?=
TESTS ?=

.DEFAULT_GOAL := help
.PHONY: help demo test test-browser test-web test-spark test-spark-now lint types contract unit uncompiled coverage lowest fuzz mutants format shape limits speed \
	speed-check compile-times reproduce check-figures optimum league quality bounds certificates proofs real-files scale spark-bench web-bench web-pictures clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 16

# One command of the demo: shown, then run.
shown = echo "$$ $(1)" && $(BIN)/$(1)
SURVEY := examples/survey

demo: $(CORE)  ## inspect a made-up survey, protect it by a plan, verify the release, and write the report
	@rm -rf demo && mkdir -p demo
	@$(call shown,python $(SURVEY)/make_survey.py --records 4000 --output demo/survey.csv)
	@$(call shown,microagg inspect demo/survey.csv --plan demo/starter.toml > demo/inspect.txt)
	@sed '/^column /,$$d; /^$$/d; /^file:/d; /^read as:/d' demo/inspect.txt
	@echo "The starter plan, with its questions answered, is $(SURVEY)/survey.toml."
	@$(call shown,microagg protect demo/survey.csv --plan $(SURVEY)/survey.toml -o demo/safe.csv --report demo/report.html)
	@$(call shown,microagg verify demo/survey.csv demo/safe.csv --plan $(SURVEY)/survey.toml > demo/verify.txt)
	@head -n 1 demo/verify.txt
	@echo && echo "A file of your own: . $(BIN)/activate, then microagg inspect FILE --plan release.toml"
	@echo "The report to sign: $(CURDIR)/demo/report.html"

# The tests need all processors, but not all the time: what needs one runs beside them.
test: lint  ## run every check: lint, types, import contract, tests
	@$(MAKE) --no-print-directory -j 2 unit types contract uncompiled

# A check, which tells how long it took.
timed = @echo "$(1)"; began=$$(date +%s); $(1) && printf '\n%s: %s s\n' $@ $$(($$(date +%s) - began))

test-browser: $(BROWSER)  ## open documents in a real browser: needs chromium, chromium-browser or google-chrome in the PATH
	$(BIN)/pytest tests/browser

test-web: $(BROWSER)  ## walk through the pages of microagg web in a real browser; needs Chromium, like test-browser
	$(BIN)/pytest tests/web

test-spark:  ## run the tests on Spark, on this machine: needs Java 17 or later; SPARK_VERSION=3.5.9 takes another version
	@java=$$($(JAVA) -version 2>&1 | sed -nE 's/.*version "([0-9]+).*/\1/p'); \
	if [ "$${java:-0}" -ge $(LEAST_JAVA) ]; then \
		$(MAKE) --no-print-directory test-spark-now; \
	else \
		echo "tests on Spark were SKIPPED: they need Java $(LEAST_JAVA) or later in JAVA_HOME or in the PATH, found $${java:-none};" \
			"install it, e.g. with apt-get install default-jre-headless, then run make test-spark"; \
	fi

test-spark-now: $(SPARK)
	$(SPARK_VENV)/bin/pytest -n 2 --dist loadfile --no-loadscope-reorder tests/spark $(if $(CORNERS),,-m "not corner")

lint: $(DEV)  ## check style
	$(call timed,$(BIN)/ruff check . && $(BIN)/ruff format --check .)

types: $(DEV)  ## check types
	$(call timed,$(BIN)/mypy)

contract: $(DEV)  ## check the import layering
	$(call timed,$(BIN)/lint-imports --no-logo)

unit: $(DEV)  ## run the tests, on all processors
	$(call timed,$(BIN)/pytest -n auto --dist worksteal)

uncompiled: $(DEV)  ## run some tests with the kernels as plain Python: results must be identical
	$(call timed,NUMBA_DISABLE_JIT=1 $(BIN)/pytest -q tests/test_golden.py -k 'few-3-search or (ties and not search and not exact and not ls)')

coverage: $(DEV)  ## run the tests and print the share of lines they run; kernels are compiled, and not counted
	$(BIN)/pytest -n auto --dist worksteal --cov --cov-report=term:skip-covered --cov-report=html:htmlcov

lowest: $(LOWEST)/.dev  ## run the tests with the lowest versions that pyproject.toml allows: TESTS= some of them
	$(LOWEST)/bin/pytest -n auto --dist worksteal $(TESTS)

fuzz: $(DEV)  ## protect two thousand hostile files and frames, then run the property tests with new random examples
	$(BIN)/python benchmarks/fuzz.py
	@echo "property tests: SEED=$(SEED)"
	$(BIN)/pytest -n auto --dist worksteal -m hypothesis --hypothesis-profile=fuzz --hypothesis-seed=$(SEED)

mutants: $(DEV)  ## mutation testing: make small changes to the code, and count those that no test detects
	$(BIN)/python benchmarks/mutants.py --sample $(MUTANTS)

format: $(DEV)  ## fix style automatically
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

shape: $(CORE)  ## measure lengths, nesting, parameters, docstrings and duplicates
	$(BIN)/python benchmarks/shape.py $(TREE)

limits: $(CORE)  ## measure how quickly a cancelled or timed-out run stops
	$(BIN)/python benchmarks/limits.py

speed: $(BENCH)  ## measure how fast the kernels are
	$(BIN)/python benchmarks/speed.py

speed-check: $(BENCH)  ## compare speed and results with another revision
	$(BIN)/python benchmarks/speed_check.py $(REV) $(if $(ONLY),--only $(ONLY))

compile-times: $(CORE)  ## measure what the first use costs, kernel by kernel
	$(BIN)/python benchmarks/compile_times.py

reproduce: $(BENCH)  ## put every table and figure of the five papers beside ours, in docs/reproduction/: PAGES=icsm only some
	$(BIN)/python benchmarks/reproduce.py $(PAGES)

check-figures: $(BENCH)  ## run a sample of the figures of the generated pages again: SAMPLE=5, SAMPLE=all (hours), SEED=7
	$(BIN)/python benchmarks/check_figures.py --sample $(SAMPLE) --seed $(SEED)

optimum: $(BENCH)  ## put every published figure beside the proved optimum or bound, in docs/optimum.md; prove and publish missing optima
	$(BIN)/python benchmarks/optimal_partitions.py
	$(BIN)/python benchmarks/optimum.py

league: $(BENCH)  ## measure every method on thirteen data sets, in docs/methods.md
	$(BIN)/python benchmarks/league.py

quality: $(BENCH)  ## measure how little the search loses, and how fast, in docs/search.md
	$(BIN)/python benchmarks/quality.py

bounds: $(BENCH)  ## measure what can be proved, and how fast, in docs/column_generation.md
	$(BIN)/python benchmarks/column_generation.py

certificates: $(BENCH)  ## prove optima, and check the proofs, in docs/certificates.md
	$(BIN)/python benchmarks/certificates.py

proofs: $(BENCH)  ## prove five optima with three versions of highspy and two random states, in docs/certificates.md: ONLY="census 3", MINUTES= of processor time
	$(BIN)/python benchmarks/prove_optima.py $(if $(ONLY),"$(ONLY)") $(if $(MINUTES),--minutes $(MINUTES))

real-files: $(BENCH)  ## measure releases of real files, in docs/real_files.md
	$(BIN)/python benchmarks/real_files.py

scale: $(BENCH)  ## benchmark up to ten million records and rewrite docs/scale.md: FOLDER= for large files, PEERS= a Python that has k-means-constrained
	$(BIN)/python benchmarks/scale.py $(if $(FOLDER),--folder $(FOLDER)) $(if $(PEERS),--peers $(PEERS)) $(if $(ONLY),--only $(ONLY))

spark-bench: $(SPARK)  ## measure one machine beside Spark, in docs/spark.md: FOLDER= for large files, RECORDS= fewer, to try it
	$(SPARK_VENV)/bin/python benchmarks/spark.py $(if $(FOLDER),--folder $(FOLDER)) $(if $(RECORDS),--records $(RECORDS))

web-bench: $(BROWSER)  ## measure the pages of microagg web: start, weight, a second session, stop, and what the extra adds
	$(BIN)/python benchmarks/web_times.py

web-pictures: $(BROWSER)  ## take the pictures of the pages, in docs/web/
	$(BIN)/python benchmarks/web_pictures.py

clean:  ## remove the virtual environments and all generated files
	rm -rf $(VENV) $(LOWEST) .venv-spark-* demo dist build htmlcov .coverage .mutants .speed-check
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Each stamp is made anew when pyproject.toml changes; nothing is installed twice.
$(CORE): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "microagg needs Python 3.11 or later, found $$($(PYTHON) --version): set PYTHON=python3.11"; exit 1; }
	@echo "setting up $(VENV) (about a minute, first time only)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --editable .
	@touch $(CORE)

$(DEV): $(CORE)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[dev]'
	@touch $(DEV)

$(BROWSER): $(DEV)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[dev,web,browser]'
	@touch $(BROWSER)

$(VENV)/.spark: $(DEV)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[dev,spark]'
	@touch $(VENV)/.spark

# Spark 3 knows neither pandas 3 nor that Python 3.12 has no distutils.
.venv-spark-%/.spark: pyproject.toml
	@echo "setting up .venv-spark-$* (a minute or two, first time only)"
	@$(PYTHON) -m venv .venv-spark-$*
	@.venv-spark-$*/bin/python -m pip install -qq --disable-pip-version-check --editable '.[dev,spark]' 'pyspark==$*' \
		$(if $(filter 3.%,$*),'pandas<3' 'setuptools<81')
	@touch $@

$(BENCH): $(CORE)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[bench]'
	@touch $(BENCH)

# Each lower bound of pyproject.toml is pinned: one that cannot be installed with the others is an error here.
# Old versions of matplotlib warn of newer ones of pyparsing, and warnings are errors in tests.
$(LOWEST)/.dev: pyproject.toml
	@rm -rf $(LOWEST) && $(LOWEST_PYTHON) -m venv $(LOWEST)
	@$(LOWEST)/bin/python -m pip install -qq --disable-pip-version-check uv
	@grep -oE '"[a-z0-9-]+>=[0-9.]+' pyproject.toml | sed 's/"//; s/>=/==/' | sort -u > $(LOWEST)/floors.txt
	@$(LOWEST)/bin/uv pip install --quiet --python $(LOWEST) --constraint $(LOWEST)/floors.txt --editable '.[dev]' 'pyparsing<3.3'
	@touch $(LOWEST)/.dev
