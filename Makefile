# Everything is set up from nothing: a virtual environment in .venv, and for the tests two agents of others in .peers.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
SEED ?=
SECONDS ?= 60

.PHONY: run test check rowcheck fuzz-vim fuzz-acp soak streamcost docs screenshots peers clean

## run: open the editor with the Tutor beside a file
run: $(VENV)/.installed
	@mkdir -p build && cp -n docs/welcome.md build/welcome.md
	@cd build && exec ../$(BIN)/tpy welcome.md -c 'agent Tutor'

## test: install what the tests need and pass them all
test: check peers
	$(BIN)/pytest -n 2 --dist worksteal

## check: style and types
check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/mypy

## rowcheck: take each registry row away in turn and see a test fail for it
rowcheck: $(VENV)/.dev
	$(BIN)/python tests/rowcheck.py

## fuzz-vim: random keys in the editor and in real Vim; SEED=n repeats a run, SECONDS=n bounds it
fuzz-vim: $(VENV)/.dev
	$(BIN)/python tests/fuzz/run.py --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

## fuzz-acp: mutated messages and random bytes for both sides of the protocol; SEED=n repeats a run, SECONDS=n bounds it
fuzz-acp: $(VENV)/.dev
	$(BIN)/python tests/fuzz/protocol.py --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

## soak: editors killed while typing, editing and saving with faults, for minutes; SEED=n repeats a run
soak: $(VENV)/.dev
	$(BIN)/python tests/soak.py $(if $(SEED),--seed $(SEED))

## streamcost: what a stream of an agent costs the editor, as a multiple of parsing its JSON
streamcost: $(VENV)/.dev
	$(BIN)/python tests/streamcost.py

## screenshots: take the pictures of the real screen in docs/pictures again
screenshots: $(VENV)/.dev
	$(BIN)/python docs/pictures.py

## docs: write the reference pages and completion scripts again
docs: $(VENV)/.dev
	$(BIN)/python docs/generate.py

## peers: the example agents of the official SDKs, each in an environment of its own
peers: $(VENV)/.dev
	$(BIN)/python tests/peers/install.py .peers

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	@echo "Setting up in $(VENV): a minute, once"
	@$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) .peers build
