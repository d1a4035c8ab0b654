# Works in a fresh clone with nothing but a Python >= 3.10 and pip. PYTHON chooses the interpreter of the environment.
PYTHON ?= python3
VENV ?= .venv
TORCH ?= torch==2.13.0
WORKERS ?= 2

ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif

.PHONY: demo pages test test-all lint docs e2e venv dev clean

# The environment with the package alone: what a user gets from `pip install capture-lsp`.
$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable .
	@$(BIN)/python -c "import pathlib; pathlib.Path('$(VENV)/.installed').touch()"

# The tools of development, and the PyTorch that judges the rules' examples. On Linux torch brings its own triton or,
# for a build without one, the release that goes with it.
$(VENV)/.dev: $(VENV)/.probe
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@$(BIN)/python -c "import triton" 2>/dev/null || $(BIN)/python -m pip install --quiet triton || true
	@$(BIN)/python -c "import pathlib; pathlib.Path('$(VENV)/.dev').touch()"

venv: $(VENV)/.installed
dev: $(VENV)/.dev

# What `capture-lsp[probe]` adds.
$(VENV)/.probe: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet '$(TORCH)' numpy
	@$(BIN)/python -c "import pathlib; pathlib.Path('$(VENV)/.probe').touch()"

demo: $(VENV)/.probe
	@$(BIN)/capture-lsp check examples --exit-zero --statistics
	@$(BIN)/capture-lsp probe examples/gated_scorer.py --no-paths --no-perturb --frontend dynamo || test $$? -eq 1
	@$(BIN)/capture-lsp check --probe examples/gated_scorer.py --exit-zero

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check capture_lsp runtime_probe tests/cli
	$(BIN)/mypy

vscode-client/node_modules/.package-lock.json: vscode-client/package-lock.json
	cd vscode-client && npm ci --no-fund --no-audit
	@$(BIN)/python -c "import pathlib; pathlib.Path('$@').touch()"

# With the packages of development, which an installation leaves out.
pages/node_modules/.whole: pages/package-lock.json
	cd pages && npm ci --no-fund --no-audit
	@node -e "require('fs').writeFileSync('$@', '')"

# The pages of the simulator and the report (needs Node 20 or later). An installation with npm has them already.
pages: pages/node_modules/.whole
	cd pages && node esbuild.mjs --minify

# The VS Code extension and the pages: their types, style and unit tests. What those of the extension make of the server
# they fetch with the pip of PYTHON.
client: $(VENV)/.installed vscode-client/node_modules/.package-lock.json pages
	cd pages && npm run --silent check-types && npm run --silent lint && npm run --silent test
	cd vscode-client && npm run --silent check-types && npm run --silent lint && npm run --silent build
	cd vscode-client && PYTHON="$(abspath $(BIN)/python)" npm run --silent test

# Where there is no npm, the extension and the pages are left out.
test: lint
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory pages; fi
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not slow"
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory client; \
	else echo "no npm: the VS Code extension and the pages were not tested" >&2; fi

test-all: lint
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory pages; fi
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

# The extension in a real workbench (Linux); CAPTURE_LSP_E2E_PYTHON names another interpreter with torch. Scenarios by
# name: make e2e SCENARIOS=untrusted
ifdef CAPTURE_LSP_E2E_PYTHON
e2e: export PYTHON := $(CAPTURE_LSP_E2E_PYTHON)
else
e2e: export PYTHON := $(abspath $(BIN)/python)
e2e: $(VENV)/.dev
endif
e2e:
	@bash vscode-client/e2e/run.sh $(SCENARIOS)

docs: $(VENV)/.installed
	$(BIN)/python -m capture_lsp.docs

clean:
	$(PYTHON) -c "import shutil; [shutil.rmtree(p, ignore_errors=True) for p in ('$(VENV)', 'build', 'capture_lsp.egg-info')]"
