# make check   prove the laws, then a short lockstep run: the three processors of the seed and the whole pipeline
# make test    the test suite, then tests/interop in an environment that holds a released vLLM
# make lint    ruff, strict types over all five rooms, import contracts
# make bench   ratios against a peer, measured in one run
# make clean   remove the environments and everything that was built
#
# PYTHON=python3.12   interpreter that makes the environments; a torch it already has is reused, not downloaded
# TORCH_INDEX=URL     package index to take torch from (pip --index-url), for instance one with CPU builds
# JOBS=2              test processes

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help check test interop lint bench clean

PYTHON ?= python3
JOBS ?= 2
TORCH_INDEX ?=
FUZZ ?= --max-examples 100
PROCESSORS := \
	logitproof.impl.pipeline:PipelineLogitsProcessor \
	logitproof.impl.processors.min_p:MinPLogitsProcessor \
	logitproof.impl.processors.logit_bias:LogitBiasLogitsProcessor \
	logitproof.impl.processors.min_tokens:MinTokensLogitsProcessor

help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile

check: .venv/.ready
	.venv/bin/logitproof check
	.venv/bin/logitproof fuzz $(FUZZ) $(PROCESSORS)

test: .venv/.ready
	.venv/bin/python -m pytest -n $(JOBS) $$(cat .venv/pytest-options)
	@$(MAKE) --no-print-directory interop

# Only a vLLM that cannot be installed may be skipped, and never in CI; any other failure is a failure.
interop:
	@if ! $(MAKE) --no-print-directory .venv-vllm/.vllm; then \
		printf '\n%s\n' '#### INTEROP NOT RUN: vLLM could not be installed in .venv-vllm. Reason:' >&2; \
		tail -n 5 .venv-vllm/install.log >&2 || true; \
		if [ "$${CI:-}" = true ]; then echo '#### CI may not skip it.' >&2; exit 1; fi; \
		printf '%s\n\n' '#### Skipped. Again: make interop' >&2; \
	else \
		$(MAKE) --no-print-directory .venv-vllm/.ready && \
		.venv-vllm/bin/python -m pytest tests/interop $$(cat .venv-vllm/pytest-options); \
	fi

# mypy and import-linter read files, not the hooks of an editable install: they get the layout of the wheel.
lint: .venv/.ready
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	@rm -rf build/rooms && mkdir -p build/rooms
	@cp -Rp logitproof build/rooms/
	@cp -Rp spec model proofs impl build/rooms/logitproof/
	cd build/rooms && ../../.venv/bin/mypy --config-file ../../pyproject.toml --cache-dir ../../.mypy_cache -p logitproof \
		| sed -E 's#^logitproof/(spec|model|proofs|impl)/#\1/#'
	cd build/rooms && ../../.venv/bin/lint-imports --no-cache ../../pyproject.toml

bench: .venv-vllm/.ready
	for benchmark in benchmarks/[a-z]*.py; do .venv-vllm/bin/python "$$benchmark"; done

clean:
	rm -rf .venv .venv-vllm build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- environments -------------------------------------------------------------------------------------------------
# A stamp names a finished environment; it is made again, in place, when one of the files it depends on changes.

PIP_INSTALL := bin/python -m pip --disable-pip-version-check install --quiet

.venv/.ready: pyproject.toml constraints.txt
	@rm -f $@
	$(call make_environment,.venv,(2$(comma) 4),(99$(comma) 0))
	.venv/$(PIP_INSTALL) -c .venv/constraints.txt setuptools
	.venv/$(PIP_INSTALL) -c .venv/constraints.txt --no-build-isolation --editable '.[dev]'
	$(call mute_outer_plugins,.venv)
	@touch $@

.venv-vllm/.vllm: constraints.txt tests/interop/requirements.txt
	@rm -f $@
	$(call make_environment,.venv-vllm,(2$(comma) 13),(2$(comma) 14))
	.venv-vllm/$(PIP_INSTALL) --no-deps -r tests/interop/requirements.txt 2>&1 | tee .venv-vllm/install.log
	.venv-vllm/bin/python -c 'import vllm.v1.worker.gpu_input_batch' 2>&1 | tee -a .venv-vllm/install.log
	@touch $@

.venv-vllm/.ready: .venv-vllm/.vllm pyproject.toml
	@rm -f $@
	.venv-vllm/$(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	$(call mute_outer_plugins,.venv-vllm)
	@touch $@

comma := ,
PURELIB := import sysconfig; print(sysconfig.get_path("purelib"))

# $(call make_environment,FOLDER,OLDEST,NEWEST): an environment with torch, OLDEST <= version < NEWEST where it is borrowed.
# A borrowed torch comes in as the last entry of sys.path: whatever we pin hides its namesake out there.
define make_environment
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	echo "logitproof needs Python 3.11 or newer, but $(PYTHON) is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.11" >&2; exit 1; }
@$(1)/bin/python -m pip --version >/dev/null 2>&1 || { rm -rf $(1); echo "making $(1)"; $(PYTHON) -m venv $(1); }
@cp constraints.txt $(1)/constraints.txt; \
borrowed="$$($(1)/bin/python -c '$(PURELIB)')/borrowed_torch.pth"; rm -f "$$borrowed"; \
if $(PYTHON) -c 'import sys, torch; from pathlib import Path; v = tuple(map(int, torch.__version__.split(".")[:2])); \
	print(Path(torch.__file__).parents[1]); sys.exit(not $(2) <= v < $(3))' >$(1)/outer 2>/dev/null && \
	! $(1)/bin/python -m pip show --quiet torch 2>/dev/null && cp $(1)/outer "$$borrowed" && \
	$(1)/bin/python -c 'import torch' 2>/dev/null; then \
	echo "reusing torch from $$(cat $(1)/outer)"; sed -i.all '/^torch==/d' $(1)/constraints.txt; \
else \
	rm -f "$$borrowed"; echo "installing torch"; \
	$(1)/$(PIP_INSTALL) $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) -c constraints.txt torch; \
fi
endef

# pytest loads the plugins of every distribution it can see, also those that came along with a borrowed torch.
define mute_outer_plugins
@$(1)/bin/python -c 'import sys; from importlib.metadata import distributions as d; \
	p = [(e.name, str(x.locate_file("")).startswith(sys.prefix)) for x in d() for e in x.entry_points if e.group == "pytest11"]; \
	print(*sorted({f"-p no:{n}" for n, ours in p if not ours and (n, True) not in p}))' >$(1)/pytest-options
endef
