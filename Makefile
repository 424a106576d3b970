# On a fresh machine with Python ≥ 3.11 and make, every target sets up what it needs.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORE := $(VENV)/.core
DEV := $(VENV)/.dev
BENCH := $(VENV)/.bench

.DEFAULT_GOAL := help
.PHONY: help demo test lint types contract unit fuzz format limits speed reproduce quality bounds certificates clean

help:  ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

demo: $(CORE)  ## protect the eleven companies of examples/, and show what came of it
	@rm -rf demo && mkdir -p demo
	@echo "examples/companies.csv:" && cat examples/companies.csv && echo
	@echo "$$ microagg protect examples/companies.csv -k 3 -o demo/companies.csv --report demo/report.json"
	@$(BIN)/microagg protect examples/companies.csv -k 3 -o demo/companies.csv --report demo/report.json && echo
	@echo "demo/companies.csv:" && cat demo/companies.csv && echo
	@echo "$$ microagg verify examples/companies.csv demo/companies.csv -k 3 --columns surface,employees"
	@$(BIN)/microagg verify examples/companies.csv demo/companies.csv -k 3 --columns surface,employees

test: lint types contract unit  ## run every check: lint, types, import contract, tests

lint: $(DEV)  ## check style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(DEV)  ## check types
	$(BIN)/mypy

contract: $(DEV)  ## check that imports go one way only
	$(BIN)/lint-imports --no-logo

unit: $(DEV)  ## run the tests, on all processors
	$(BIN)/pytest -n auto --dist worksteal

fuzz: $(DEV)  ## protect two thousand hostile files and frames, other ones each time
	$(BIN)/python benchmarks/fuzz.py

format: $(DEV)  ## mend style where it can be mended
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

limits: $(CORE)  ## measure how soon a run ends that is cancelled, or whose time is over
	$(BIN)/python benchmarks/limits.py

speed: $(BENCH)  ## measure how fast the kernels are
	$(BIN)/python benchmarks/speed.py

reproduce: $(BENCH)  ## put the published figures beside ours, in docs/reproduction.md
	$(BIN)/python benchmarks/reproduce.py

quality: $(BENCH)  ## measure how little the search loses, and how fast, in docs/search.md
	$(BIN)/python benchmarks/quality.py

bounds: $(BENCH)  ## measure what can be proved, and how fast, in docs/column_generation.md
	$(BIN)/python benchmarks/column_generation.py

certificates: $(BENCH)  ## prove optima, and check the proofs, in docs/certificates.md
	$(BIN)/python benchmarks/certificates.py

clean:  ## remove the virtual environment and everything that was made
	rm -rf $(VENV) demo dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Each stamp is made anew when pyproject.toml changes; nothing is installed twice.
$(CORE): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "microagg needs Python 3.11 or later, found $$($(PYTHON) --version): set PYTHON=python3.11"; exit 1; }
	@echo "setting up $(VENV): a minute, once"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $(CORE)

$(DEV): $(CORE)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(DEV)

$(BENCH): $(CORE)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	@touch $(BENCH)
